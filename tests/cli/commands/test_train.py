"""fairvec train: what a user sees, and what is said of input that cannot be trained on."""

import gzip
import json
from errno import ENOSPC
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairvec
from fairvec.cli import training_progress
from fairvec.cli.commands import train as module
from fairvec.cli.plain_progress import duration
from fairvec.cli.training_progress import epoch_in_words
from fairvec.training.glove.training import EpochDone
from fairvec.training.kinds import KINDS
from fairvec.training.spilling import Spill
from tests import toys
from tests.cli.conftest import Shell
from tests.training.texts import write_text

QUICK = ("--dim", 6, "--epochs", 2, "--window", 3, "--min-count", 2, "--threads", 1)


@pytest.fixture
def text(tmp_path: Path) -> Path:
    (tmp_path / "corpus").mkdir()
    return write_text(tmp_path / "corpus" / "text.txt")


def left(folder: Path) -> set[str]:
    """Return what lies in a folder beside the corpus."""
    return {path.name for path in folder.iterdir()} - {"corpus"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_seed_writes_the_same_bytes_again(
    shell: Shell, text: Path, tmp_path: Path, kind: str
) -> None:
    written = []
    for folder in ("a", "b"):
        out = tmp_path / folder / "model.fairvec"
        answer = shell("train", text, "--language", "en", "--model", kind, *QUICK, "-o", out)
        assert answer.code == 0, answer.err
        assert f"{out}: 22 words x 6 in the format native" in answer.err
        assert answer.out == ""
        written.append(out.read_bytes())
    assert written[0] == written[1]


def test_threads_do_not_change_the_file(shell: Shell, text: Path, tmp_path: Path) -> None:
    for threads in (1, 3):
        out = tmp_path / str(threads) / "model.fairvec"
        shell("train", text, "--language", "en", *QUICK[:-1], threads, "-o", out)
    one, other = (tmp_path / n / "model.fairvec" for n in ("1", "3"))
    assert one.read_bytes() == other.read_bytes()


def test_progress_is_plain_lines(shell: Shell, text: Path, tmp_path: Path) -> None:
    answer = shell("train", text, "--language", "en", *QUICK, "-o", tmp_path / "m.fairvec")
    lines = answer.err.splitlines()
    assert lines[0].startswith("3,601 words read; 22 different ones are kept, which are 100.0%")
    counts = fairvec.load(tmp_path / "m.fairvec").counts
    assert counts is not None
    assert lines[1] == f"{counts.sum():,} words counted"
    assert lines[2].startswith("22 words, epoch 1 of 2: loss 2.")
    assert lines[3].endswith("M pairs a second, 0 s left")


def test_an_epoch_and_a_time_in_words() -> None:
    done = EpochDone(3, 25, 0.0316, 50_000, 52_000_000, 4.0)
    told = "50,000 words, epoch 3 of 25: loss 0.03160, 13.0M pairs a second, 1 min 28 s left"
    assert epoch_in_words(done) == told
    said = {0.4: "0 s", 59.6: "1 min 0 s", 3599: "59 min 59 s", 7500: "2 h 5 min"}
    assert {seconds: duration(seconds) for seconds in said} == said


def test_what_a_format_loses_is_said_before_the_text_is_read(
    shell: Shell, text: Path, tmp_path: Path
) -> None:
    ball = ("train", text, "--language", "en", "--model", "poincare-glove", *QUICK)
    answer = shell(*ball, "-o", tmp_path / "m.vec")
    told, read = answer.err.splitlines()[:2]
    assert told == (
        "m.vec will not keep: geometry poincare, history, counts, language; only .fairvec keeps "
        "everything."
    )
    assert "words read" in read
    assert "will not keep" not in shell(*ball, "-o", tmp_path / "m.fairvec").err
    assert fairvec.load(tmp_path / "m.fairvec").geometry.name == "poincare"


def test_an_audit_controls_for_the_counts_of_training(
    shell: Shell, tmp_path: Path, suite_file: Path
) -> None:
    """Words of one side are seen more often, so that there is a frequency to control for."""
    keys, generator = toys.embedding(1.0).keys, np.random.default_rng(0)
    share = 1 / np.arange(1, len(keys) + 1)
    lines = (generator.choice(keys, 10, p=share / share.sum()) for _ in range(600))
    file = tmp_path / "text.txt"
    file.write_text("\n".join(map(" ".join, lines)), encoding="utf-8")
    seen = {}
    for ending in ("fairvec", "vec"):
        model = tmp_path / f"m.{ending}"
        assert shell("train", file, "--language", "en", *QUICK, "-o", model).code == 0
        answer = shell("audit", model, "-s", suite_file, "--robust", "--json")
        assert answer.code == 0, answer.err
        record, _ = [json.loads(line) for line in answer.out.splitlines()]
        seen[ending] = record["robustness"]["frequency"]
    assert -1 <= seen["fairvec"]["correlation"] <= 1
    assert seen["vec"] is None


def test_an_interrupted_training_goes_on(
    shell: Shell, text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("train", text, "--language", "en", *QUICK, "-o", tmp_path / "m.fairvec")
    kept = ("--checkpoint", tmp_path / "kept")

    def interrupt(done: EpochDone) -> str:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(training_progress, "epoch_in_words", interrupt)
        answer = shell(*command)
        assert answer.code == 130
        assert answer.err.count("Interrupted") == 1
        assert "nothing is kept: with --checkpoint FOLDER it could go on." in answer.err
        answer = shell(*command, *kept)
        assert answer.code == 130
        assert f"are in {tmp_path / 'kept'}: run the same command again, and" in answer.err
    assert left(tmp_path) == {"kept"}
    assert {path.name for path in (tmp_path / "kept").iterdir()} == {"checkpoint.safetensors"}
    answer = shell(*command, *kept)
    assert answer.code == 0
    assert "epoch 1 of 2" not in answer.err
    assert "epoch 2 of 2" in answer.err
    whole = tmp_path / "whole" / "m.fairvec"
    shell(*command[:-1], whole)
    assert whole.read_bytes() == (tmp_path / "m.fairvec").read_bytes()


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
    room, write = [None] * written, Spill.write

    def until_full(self: Spill, numbers: Any) -> None:
        if not room:
            raise OSError(ENOSPC, "No space left on device")
        room.pop()
        write(self, numbers)

    monkeypatch.setattr(Spill, "write", until_full)
    kept = ("--checkpoint", tmp_path / "kept")
    answer = shell("train", text, "--language", "en", *QUICK, *kept, "-o", tmp_path / "m.fairvec")
    assert answer.code == 2
    assert "is full; free some of it, or name another folder" in answer.err
    assert left(tmp_path) == set()


def test_folders_and_packed_files_are_one_corpus(shell: Shell, text: Path, tmp_path: Path) -> None:
    content = text.read_bytes()
    (tmp_path / "corpus" / "more.txt.gz").write_bytes(gzip.compress(content))
    out = tmp_path / "m.fairvec"
    answer = shell("train", tmp_path / "corpus", "--language", "en", *QUICK, "-o", out)
    assert answer.code == 0, answer.err
    assert answer.err.startswith("7,202 words read")
    step, *_ = fairvec.load(out).history
    assert step.details["corpus"] == ["more.txt.gz", "text.txt"]


def test_a_training_that_is_refused_leaves_no_folder(
    shell: Shell, text: Path, tmp_path: Path
) -> None:
    place = tmp_path / "new" / "kept"
    asked = ("--language", "en", *QUICK[:6], "--min-count", 10**6, "--checkpoint", place)
    answer = shell("train", text, *asked, "-o", tmp_path / "model.fairvec")
    assert (answer.code, "a model needs two" in answer.err) == (2, True)
    assert left(tmp_path) == set()
