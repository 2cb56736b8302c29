import hashlib
import shutil
from pathlib import Path

import numpy as np
import pytest

from fairvec import load
from fairvec.catalogue.entries import DATA, FILE_NAME, read
from fairvec.embedding import Embedding, Step
from fairvec.embedding.saving import save
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


@pytest.fixture
def trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model of Hindi words, the most frequent first; its last word is one of the suites."""
    monkeypatch.setattr(ship_models, "MOST_FREQUENT", 2)
    monkeypatch.setattr(ship_models, "BENCHMARKS", {"hi": ()})
    vectors = np.arange(8, dtype=np.float32).reshape(4, 2)
    step = Step("trained", {"by": "glove"})
    counts = np.array([9, 8, 7, 6])
    keys = ["के", "है", "अनसुना", "गणित"]
    model = Embedding(keys, vectors, name="full", history=(step,), counts=counts, languages=("hi",))
    save(model, tmp_path / "full.fairvec")
    return tmp_path / "full.fairvec"


def test_a_small_model_is_cut_from_a_trained_one_and_says_so(
    trained: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shipped = (DATA / FILE_NAME).read_bytes()
    small = tmp_path / "small.fairvec"
    ship_models.main(["--cut", "glove-hi-small", str(trained), str(small)])
    model = load(small)
    assert [*model.keys] == ["के", "है", "गणित"]
    assert model.vectors.tolist() == [[0, 1], [2, 3], [6, 7]]
    assert model.vectors.dtype == np.float16
    assert model.counts is not None
    assert model.counts.tolist() == [9, 8, 6]
    assert [step.action for step in model.history[:2]] == ["trained", "subset"]
    assert (model.name, model.languages) == ("small", ("hi",))
    assert "3 of 4 words" in capsys.readouterr().out
    assert (DATA / FILE_NAME).read_bytes() == shipped, "the catalogue is left alone"


@pytest.mark.parametrize(
    ("name", "full", "small", "said"),
    [
        ("glove-hi", "full.fairvec", "small.fairvec", "There is no 'glove-hi' to cut like"),
        ("navec-ru-small", "full.fairvec", "small.fairvec", "There is no 'navec-ru-small'"),
        ("glove-hi-small", "none.fairvec", "small.fairvec", "none.fairvec does not exist"),
        ("glove-hi-small", "full.fairvec", "full.fairvec", "full.fairvec is there already"),
    ],
    ids=["unknown", "quantised", "missing", "taken"],
)
def test_what_cannot_be_cut_is_refused(
    trained: Path, tmp_path: Path, name: str, full: str, small: str, said: str
) -> None:
    before = trained.read_bytes()
    with pytest.raises(SystemExit, match=said):
        ship_models.main(["--cut", name, str(tmp_path / full), str(tmp_path / small)])
    assert trained.read_bytes() == before
    assert not (tmp_path / "small.fairvec").exists()
