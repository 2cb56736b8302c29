"""fairvec train: what is said of input that cannot be trained on; nothing is left of it."""

from errno import ENOSPC
from pathlib import Path
from typing import Any

import pytest

from fairvec.cli.commands import train as module
from fairvec.core.io.mapped_arrays import ArrayWriter
from tests.cli.commands.quick_training import QUICK, left, write_corpus
from tests.cli.conftest import Shell


@pytest.fixture
def text(tmp_path: Path) -> Path:
    return write_corpus(tmp_path)


def spoilt(folder: Path, how: str) -> Path:
    """Write a corpus that cannot be learnt from."""
    place = folder / "corpus" / f"{how}.txt"
    content = {
        "empty": b"",
        "only-marks": b"... ---\n!\n",
        "one-word": b"word word word\nword word\n",
        "all-rare": b"each word once\n",
        "lonely": b"one\ntwo\n" * 5,
        "binary": bytes(range(256)) * 20,
        "invalid": "слово ".encode("cp1251") * 20,
    }[how]
    place.write_bytes(content)
    return place


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("empty", "the corpus is empty"),
        ("only-marks", "holds no word"),
        ("one-word", "1 of 1 word is kept and a model needs two"),
        ("all-rare", "0 of 3 words are kept and a model needs two"),
        ("lonely", "No two of the 2 words stand in one line"),
        ("binary", "line 1: this is not UTF-8"),
        ("invalid", "line 1: this is not UTF-8"),
    ],
)
@pytest.mark.parametrize("kind", ["glove", "skipgram"])
def test_a_corpus_that_teaches_nothing_is_refused_in_a_sentence(
    shell: Shell, text: Path, tmp_path: Path, how: str, told: str, kind: str
) -> None:
    place, out = spoilt(tmp_path, how), tmp_path / "new" / "m.fairvec"
    command = ("train", place, "--language", "en", "--model", kind, "--checkpoint", tmp_path / "k")
    answer = shell(*(command if kind == "glove" else command[:-2]), *QUICK, "-o", out)
    assert answer.code == 2, answer.err
    *_, sentence = answer.err.splitlines()
    assert sentence.startswith("error: ")
    if kind == "skipgram" and how in ("only-marks", "one-word", "all-rare"):
        told = "a model needs two"
    assert told in sentence
    assert not (tmp_path / "new").exists()
    assert not [*(tmp_path / "k").glob("*")]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--model", "poincare-glove", "--balls", 4), "cannot be shared by 4 balls"),
        (("--balls", 2), "kind glove has no setting balls, only poincare-glove; leave it out"),
        (("--model", "cbow", "--x-max", 10), "kind cbow has no setting x max, only glove and"),
        (("--model", "word2vec"), "There is no kind of model named 'word2vec'"),
        (("--words", "lemmas"), "There are no lemmas of the language 'en', only of ru"),
        (("--epochs", 0), "epochs is 0; it must lie between 1 and 100,000"),
        (("--rate", "nan"), "rate is nan; it must be a finite number"),
        (("--max-memory", "lots"), "is no size of memory"),
        (("--model", "cbow", "--checkpoint", "k"), "leave --checkpoint out."),
        (("--model", "cbow", "--engine", "gpu"), "gensim trains cbow on the processor"),
        (("--language", "english"), "english"),
        (("-o", "m.parquet"), "not written to a file that ends like this"),
    ],
)
def test_a_choice_that_cannot_be_had_is_said(
    shell: Shell, text: Path, tmp_path: Path, options: tuple[Any, ...], told: str
) -> None:
    answer = shell(
        *("train", text, "--language", "en", *QUICK, "-o", tmp_path / "m.fairvec", *options)
    )
    assert answer.code == 2
    assert told in answer.err
    assert answer.err.count("error: ") == 1
    assert left(tmp_path) == set()


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_a_seed_out_of_range_is_a_slip_and_no_fault(
    shell: Shell, text: Path, tmp_path: Path, seed: int
) -> None:
    out = tmp_path / "m.fairvec"
    answer = shell("train", text, "--language", "en", *QUICK, "--seed", seed, "-o", out)
    assert answer.code == 2
    assert "--seed is" in answer.err
    assert left(tmp_path) == set()


def test_a_corpus_that_is_not_there_is_said(shell: Shell, text: Path, tmp_path: Path) -> None:
    (tmp_path / "corpus" / "none").mkdir()
    (tmp_path / "corpus" / "none" / "table.csv").write_text("a,b", encoding="utf-8")
    for name, told in (
        ("none", "the folder holds no text"),
        ("absent.txt", "there is no such file"),
        ("*.gz", "no file matches"),
    ):
        place = tmp_path / "corpus" / name
        answer = shell("train", place, "--language", "en", "-o", tmp_path / "m.fairvec")
        assert (answer.code, told in answer.err) == (2, True)
    assert left(tmp_path) == set()


def test_a_place_that_cannot_be_written_is_said_before_training(
    shell: Shell, text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: Any, **__: Any) -> None:
        raise AssertionError("nothing is trained for a place that cannot be written")

    monkeypatch.setattr(module, "train_embedding", never)
    (tmp_path / "corpus" / "there.fairvec").write_text("mine", encoding="utf-8")
    (tmp_path / "corpus" / "folder.fairvec").mkdir()
    for name, options, told in (
        ("text.txt/m.fairvec", (), "nothing can be written there (not a directory)"),
        ("there.fairvec", (), "exists already; choose another name, or say --force"),
        ("folder.fairvec", ("--force",), "is a folder; name a file"),
    ):
        out = tmp_path / "corpus" / name
        answer = shell("train", text, "--language", "en", "-o", out, *options)
        assert (answer.code, told in answer.err) == (2, True), answer.err


@pytest.mark.parametrize("written", [0, 1, 2, 4])
def test_a_disk_that_fills_up_leaves_nothing(
    shell: Shell, text: Path, tmp_path: Path, written: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, write = [None] * written, ArrayWriter.write

    def until_full(self: ArrayWriter, numbers: Any) -> None:
        if not room:
            raise OSError(ENOSPC, "No space left on device")
        room.pop()
        write(self, numbers)

    monkeypatch.setattr(ArrayWriter, "write", until_full)
    kept = ("--checkpoint", tmp_path / "kept")
    answer = shell("train", text, "--language", "en", *QUICK, *kept, "-o", tmp_path / "m.fairvec")
    assert answer.code == 2
    assert "is full; free some of it, or name another folder" in answer.err
    assert left(tmp_path) == set()


def test_a_training_that_is_refused_leaves_no_folder(
    shell: Shell, text: Path, tmp_path: Path
) -> None:
    place = tmp_path / "new" / "kept"
    asked = ("--language", "en", *QUICK[:6], "--min-count", 10**6, "--checkpoint", place)
    answer = shell("train", text, *asked, "-o", tmp_path / "model.fairvec")
    assert (answer.code, "a model needs two" in answer.err) == (2, True)
    assert left(tmp_path) == set()
