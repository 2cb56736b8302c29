import json
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open

from fairvec.catalogue import converters as wink
from fairvec.core.errors import DownloadError

RANDOM = np.random.default_rng(5)
WORDS = ["the", '"', "\\", "]", "a,b", "naïve", *(f"word{number}" for number in range(50))]
VECTORS = RANDOM.normal(size=(len(WORDS), 4)).round(5)


def written(tmp_path: Path, rows: dict[str, list[float]], words: list[str] = WORDS) -> Path:
    path = tmp_path / "wink.json"
    layout = {
        "size": len(words),
        "dimensions": 4,
        "words": words,
        "vectors": rows,
        "unkVector": [0, 0, 0, 0, 0, -1],
    }
    path.write_text(json.dumps(layout, separators=(",", ":")) + "\n", encoding="utf-8")
    return path


def rows_of(words: list[str]) -> dict[str, list[float]]:
    return {
        word: [*vector, float(np.linalg.norm(vector)), number]
        for number, (word, vector) in enumerate(zip(words, VECTORS, strict=False))
    }


@pytest.mark.parametrize("block", [64, 1000, 1 << 20])
def test_words_and_vectors_arrive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(wink, "BLOCK", block)
    target = tmp_path / "out.fairvec"
    wink.convert_wink(written(tmp_path, rows_of(WORDS)), target, "glove", "PDDL", "Stanford")
    with safe_open(target, "np") as file:
        assert file.metadata()["fairvec"] == "1"
        assert file.metadata()["licence"] == "PDDL"
        assert file.get_tensor("keys").tobytes().decode().split("\n") == WORDS
        np.testing.assert_array_equal(file.get_tensor("vectors"), VECTORS.astype(np.float32))


def test_the_same_source_gives_the_same_bytes(tmp_path: Path) -> None:
    source = written(tmp_path, rows_of(WORDS))
    for name in ("one", "two"):
        wink.convert_wink(source, tmp_path / name, "glove", "PDDL", "Stanford")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def altered(word: str, column: int, value: float) -> dict[str, list[float]]:
    rows = rows_of(WORDS)
    rows[word][column] = value
    return rows


@pytest.mark.parametrize(
    "rows",
    [
        altered("the", 4, 9.0),
        altered("a,b", 5, 77),
        dict(reversed(rows_of(WORDS).items())),
        rows_of(WORDS) | {"word49": [1.0, 2.0]},
        rows_of(WORDS[:-1]),
    ],
    ids=["length", "position", "order", "short row", "missing row"],
)
def test_another_layout_is_refused(tmp_path: Path, rows: dict[str, list[float]]) -> None:
    with pytest.raises(DownloadError):
        wink.convert_wink(
            written(tmp_path, rows), tmp_path / "out.fairvec", "glove", "PDDL", "Stanford"
        )


@pytest.mark.parametrize("keep", [0.1, 0.6])
def test_a_file_cut_short_is_refused(tmp_path: Path, keep: float) -> None:
    path = written(tmp_path, rows_of(WORDS))
    path.write_bytes(path.read_bytes()[: int(keep * path.stat().st_size)])
    with pytest.raises(DownloadError):
        wink.convert_wink(path, tmp_path / "out.fairvec", "glove", "PDDL", "Stanford")


@pytest.mark.parametrize(
    "head",
    ['{"words":5', '{"words":[5],"dimensions":1', '{"words":["a"],"dimensions":"1"', "{", "[", "x"],
)
def test_a_head_that_says_nothing_is_one_sentence(tmp_path: Path, head: str) -> None:
    source = tmp_path / "wink.json"
    source.write_text(head + ',"vectors":{"a":[1,1,0]}}', encoding="utf-8")
    with pytest.raises((DownloadError, ValueError)):
        wink.convert_wink(source, tmp_path / "x.fairvec", "mine", "MIT", "made up")


@pytest.mark.parametrize(
    "text",
    [
        b'{"dimensions":4,"words":[' + b"[" * 100_000 + b',"vectors":{',
        b'{"dimensions":4,"words":["\\ud800"],"vectors":{',
        b'{"dimensions":4,"words":["\xff"],"vectors":{',
        b'[4,"vectors":{',
        b'{"dimensions":4,"words":["a"],"vectors":{"\\x":[1,0,0,0,1,0]}',
        b'{"dimensions":4,"words":["a"],"vectors":{"a":[1,x,0,0,1,0]}}',
    ],
    ids=["deep", "half a character", "no UTF-8", "no object", "odd escape", "no numbers"],
)
def test_what_is_no_json_is_refused_in_one_sentence(tmp_path: Path, text: bytes) -> None:
    source = tmp_path / "wink.json"
    source.write_bytes(text)
    with pytest.raises(DownloadError, match="report it"):
        wink.convert_wink(source, tmp_path / "out", "glove", "PDDL", "Stanford")
