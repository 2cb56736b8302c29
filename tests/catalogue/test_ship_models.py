import hashlib
import shutil
from pathlib import Path

import pytest

from fairvec.catalogue.entries import DATA, FILE_NAME, read
from fairvec.lexicon import parse_suite
from scripts import ship_models

SUITE = """
id = "tiny"
version = "1"
language = "ru"
title = "Tiny"
source = "made up"
licence = "none"
[sets.one]
title = "one"
words = [{ word = "тетя", variants = ["тётушка"] }, "missing"]
[[tests]]
id = "one"
title = "One"
category = "gender"
kind = "bias"
x = "one"
y = "one"
a = "one"
b = "one"
"""


def test_frequent_words_and_every_spelling_of_the_suites_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ship_models, "MOST_FREQUENT", 2)
    monkeypatch.setattr(ship_models, "BENCHMARKS", {"ru": ()})
    keys = ["в", "и", "на", "тётя", "с", "тётушка"]
    positions = {key: row for row, key in enumerate(keys)}
    assert ship_models.rows_kept(positions, [parse_suite(SUITE)]) == [0, 1, 3, 5]


def test_a_small_model_that_finds_another_key_is_refused() -> None:
    full = {"тетя": 0, "тётушка": 1}
    small = {"тётушка": 0}
    assert "1 of 2 words" in ship_models.compared(parse_suite(SUITE), full, full)
    with pytest.raises(SystemExit, match="finds other keys"):
        ship_models.compared(parse_suite(SUITE), full, small)


def test_only_three_lines_of_the_catalogue_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / FILE_NAME
    shutil.copy(DATA / FILE_NAME, file)
    before = file.read_text(encoding="utf-8").splitlines()
    made = tmp_path / "made"
    made.write_bytes(b"model")
    monkeypatch.setattr(ship_models, "DATA", tmp_path)
    ship_models.update_catalogue("glove-hi-small", words=7, path=made)
    after = file.read_text(encoding="utf-8").splitlines()
    assert sum(old != new for old, new in zip(before, after, strict=True)) == 3
    (model,) = (model for model in read(file) if model.name == "glove-hi-small")
    assert (model.words, model.size) == (7, 5)
    assert model.sha256 == hashlib.sha256(b"model").hexdigest()
