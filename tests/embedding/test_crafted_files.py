"""Crafted files: each ends in one sentence, in the memory and the time that its size allows."""

from pathlib import Path

import pytest

import fairvec
from fairvec.core.errors import FairvecError, FileFormatError
from tests.embedding.crafted_files import HUNGRY, ODD
from tests.loops import loop_over
from tests.resource_limits import outcome

READ_ALL = """
import sys
from pathlib import Path
import fairvec
from fairvec.core.errors import FairvecError
from fairvec.embedding import shape_of
wrong = []
for path in sorted(Path({folder!r}).iterdir()):
    try:
        found = fairvec.load(path)
        if len(found) > 10:
            wrong.append(f"{{path.name}} was read as {{found}}")
    except FairvecError as error:
        if len(str(error)) > 1000:
            wrong.append(f"{{path.name}} says {{len(str(error))}} letters")
    except BaseException as error:
        wrong.append(f"{{path.name}}: {{type(error).__name__}} {{str(error)[:200]}}")
print("; ".join(wrong) or "all were refused or small")
"""


@loop_over("name", sorted(ODD))
def test_an_odd_file_is_one_sentence(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(ODD[name]())
    if path.suffix == ".npy":
        path.with_suffix(".txt").write_text("a\nb\n")
    with pytest.raises(FairvecError) as caught:
        fairvec.load(path)
    message = str(caught.value)
    assert len(message) < 1000
    assert "\n" not in message
    assert message.endswith(".")


def test_files_that_ask_for_gigabytes_are_read_in_a_few_hundred_megabytes(tmp_path: Path) -> None:
    pytest.importorskip("gensim", reason="gensim is not installed")
    folder = tmp_path / "hungry"
    folder.mkdir()
    for name, make in HUNGRY.items():
        (folder / name).write_bytes(make())
    most = max(path.stat().st_size for path in folder.iterdir())
    assert most < 20_000_000
    code = READ_ALL.format(folder=str(folder))
    assert outcome(code, megabytes=900) == "all were refused or small"


def test_the_limit_would_be_felt(tmp_path: Path) -> None:
    """What the test above relies on: without the readers' budgets, its process is out of memory."""
    path = tmp_path / "many.npz"
    path.write_bytes(HUNGRY["zeros.npz"]())
    code = (
        f"import numpy as np\ntry:\n    vectors = np.load({str(path)!r})['vectors'].repeat(12)\n"
        "except MemoryError:\n    print('out of memory')"
    )
    assert outcome(code, megabytes=900) == "out of memory"


def test_half_a_character_is_replaced_on_request(tmp_path: Path) -> None:
    path = tmp_path / "half.npz"
    path.write_bytes(ODD["surrogate.npz"]())
    with pytest.raises(FileFormatError, match=r"key 2: .* holds half a character"):
        fairvec.load(path)
    found = fairvec.load(path, invalid_utf8="replace")
    assert list(found.keys) == ["a", "\ufffd"]
    assert found.history[-1].details["keys_with_half_characters"] == 1
    fairvec.save(found, tmp_path / "again.fairvec")
