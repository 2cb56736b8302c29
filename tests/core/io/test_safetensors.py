"""Headers of strangers: refused in a moment and in a sentence, however much they announce."""

import json
from pathlib import Path
from typing import Any

import pytest

import fairvec
from fairvec.core.errors import FileFormatError
from fairvec.core.io import safetensors as safetensors_layout
from fairvec.core.io.safetensors import open_tensors
from fairvec.core.parsing import parse_json
from tests import resource_limits

LONGEST_TOLD = 1000


def written(folder: Path, header: dict[str, Any], content: bytes = b"") -> Path:
    text = json.dumps(header).encode()
    file = folder / "a.safetensors"
    file.write_bytes(len(text).to_bytes(8, "little") + text + content)
    return file


def entry(shape: list[int], end: int = 0) -> dict[str, Any]:
    return {"dtype": "F32", "shape": shape, "data_offsets": [0, end]}


def test_a_shape_of_very_many_sides_is_not_multiplied(tmp_path: Path) -> None:
    file = written(tmp_path, {"vectors": entry([10**18 - 1] * 200_000)})
    message = resource_limits.outcome(
        "from pathlib import Path\n"
        "from fairvec.core.io.safetensors import open_tensors\n"
        f"open_tensors(Path({str(file)!r}))",
        seconds=30,
    )
    assert "FileFormatError" in message
    assert len(message) < LONGEST_TOLD


@pytest.mark.parametrize("shape", [[2] * 100_000, [10**290] * 32], ids=["many", "long"])
def test_what_is_reported_of_a_shape_is_short(tmp_path: Path, shape: list[int]) -> None:
    with pytest.raises(FileFormatError) as error:
        open_tensors(written(tmp_path, {"vectors": entry(shape)}))
    assert len(str(error.value)) < LONGEST_TOLD


def test_of_very_many_tensors_a_few_are_named(tmp_path: Path) -> None:
    many = {f"tensor {number:06}": entry([0]) for number in range(10_000)}
    opened = open_tensors(written(tmp_path, many))
    with pytest.raises(FileFormatError) as error:
        opened.tensor("vectors")
    assert "has no tensor named 'vectors'" in str(error.value)
    assert "tensor 000000" in str(error.value)
    assert len(str(error.value)) < LONGEST_TOLD


def test_the_name_of_the_only_tensor_is_reported(tmp_path: Path) -> None:
    opened = open_tensors(written(tmp_path, {"weights": entry([2, 1], 8)}, b"\0" * 8))
    assert opened.tensor("weights").tolist() == [[0.0], [0.0]]
    with pytest.raises(FileFormatError, match=r"only weights; write the file again\.$"):
        opened.tensor("vectors")


def test_a_header_is_understood_once_however_many_formats_are_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = (f"layer.{number:04}" for number in range(1000))
    many = {
        name: {"dtype": "F32", "shape": [1, 1], "data_offsets": [4 * at, 4 * at + 4]}
        for at, name in enumerate(places)
    }
    file, calls = written(tmp_path, many, bytes(4000)), []

    def counted(text: bytes) -> Any:
        calls.append(len(text))
        return parse_json(text)

    monkeypatch.setattr(safetensors_layout, "parse_json", counted)
    with pytest.raises(FileFormatError, match=r"layer\.0011 and 988 more\) where one is") as error:
        fairvec.load(file)
    assert len(calls) == 1
    assert len(str(error.value)) < LONGEST_TOLD
