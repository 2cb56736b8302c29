"""fairvec train makes a model from text, checks its arguments first and goes on after a stop."""

import gzip
import json
from collections.abc import Sequence
from dataclasses import fields
from errno import ENOSPC
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairvec
from fairvec.cli.commands import train as module
from fairvec.cli.commands import train as train_commands
from fairvec.cli.commands.train import format_epoch
from fairvec.core.format import format_duration
from fairvec.core.io.mapped_arrays import ArrayWriter
from fairvec.embedding import LoadOptions
from fairvec.embedding.formats.native import native_metadata
from fairvec.geometry import Poincare
from fairvec.training import cluster as scheduler
from fairvec.training.progress import EpochProgress
from fairvec.training.train import KINDS, train_embedding
from tests import toys
from tests.cli.conftest import Shell
from tests.training.toys import write_text

# --- A training that is over at once, and what it leaves ---


QUICK = ("--dim", 6, "--epochs", 2, "--window", 3, "--min-count", 2, "--threads", 1)


def write_corpus(folder: Path) -> Path:
    """Write the text into a folder of its own, so that all else there was left by a training."""
    (folder / "corpus").mkdir()
    return write_text(folder / "corpus" / "text.txt")


def left(folder: Path) -> set[str]:
    """Return what lies in a folder beside the corpus."""
    return {path.name for path in folder.iterdir()} - {"corpus"}


# --- fairvec train: what a user sees, and what is written ---


@pytest.fixture
def text(tmp_path: Path) -> Path:
    return write_corpus(tmp_path)


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
    done = EpochProgress(
        "training", 3, 25, loss=0.0316, words=50_000, pairs=52_000_000, seconds=4.0
    )
    message = "50,000 words, epoch 3 of 25: loss 0.03160, 13.0M pairs a second, 1 min 28 s left"
    assert format_epoch(done) == message
    texts = {0.4: "0 s", 59.6: "1 min 0 s", 3599: "59 min 59 s", 7500: "2 h 5 min"}
    assert {seconds: format_duration(seconds) for seconds in texts} == texts


def test_what_a_format_loses_is_printed_before_the_text_is_read(
    shell: Shell, text: Path, tmp_path: Path
) -> None:
    ball = ("train", text, "--language", "en", "--model", "poincare-glove", *QUICK)
    answer = shell(*ball, "-o", tmp_path / "m.vec")
    message, read = answer.err.splitlines()[:2]
    assert message == (
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
    checkpoint = ("--checkpoint", tmp_path / "kept")

    def interrupt(done: EpochProgress) -> str:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(train_commands, "format_epoch", interrupt)
        answer = shell(*command)
        assert answer.code == 130
        assert answer.err.count("Interrupted") == 1
        assert "nothing is kept: with --checkpoint FOLDER it could go on." in answer.err
        answer = shell(*command, *checkpoint)
        assert answer.code == 130
        assert f"are in {tmp_path / 'kept'}: run the same command again, and" in answer.err
    assert left(tmp_path) == {"kept"}
    assert {path.name for path in (tmp_path / "kept").iterdir()} == {"checkpoint.safetensors"}
    answer = shell(*command, *checkpoint)
    assert answer.code == 0
    assert "epoch 1 of 2" not in answer.err
    assert "epoch 2 of 2" in answer.err
    whole = tmp_path / "whole" / "m.fairvec"
    shell(*command[:-1], whole)
    assert whole.read_bytes() == (tmp_path / "m.fairvec").read_bytes()


def test_folders_and_packed_files_are_one_corpus(shell: Shell, text: Path, tmp_path: Path) -> None:
    content = text.read_bytes()
    (tmp_path / "corpus" / "more.txt.gz").write_bytes(gzip.compress(content))
    out = tmp_path / "m.fairvec"
    answer = shell("train", tmp_path / "corpus", "--language", "en", *QUICK, "-o", out)
    assert answer.code == 0, answer.err
    assert answer.err.startswith("7,202 words read")
    step, *_ = fairvec.load(out).history
    assert step.details["corpus"] == ["more.txt.gz", "text.txt"]


# --- fairvec train: words that are swapped in the text, and counting on a cluster ---


@pytest.fixture
def text_options(tmp_path: Path) -> Path:
    return write_text(tmp_path / "text.txt")


def test_a_swapped_copy_of_each_line_is_learnt_from(shell: Shell, tmp_path: Path) -> None:
    corpus = tmp_path / "people.txt"
    corpus.write_text("he walks home\nhe sings well\nthey sing\n" * 5, encoding="utf-8")
    out = tmp_path / "model.fairvec"
    named = ("--augment", "en/gender")
    answer = shell("train", corpus, "--language", "en", *QUICK, *named, "-o", out)
    assert answer.code == 0, answer.err
    made = fairvec.load(out)
    assert made.counts is not None
    assert made.counts[made.positions["she"]] == made.counts[made.positions["he"]] == 10
    assert {*made.history[0].details["fitted_on"]} == {"he", "she"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--augment-by", "substitution"), "name a concept with --augment"),
        (("--augment-names",), "name a concept with --augment"),
        (("--augment", "en/gendre"), "did you mean"),
        (("--augment", "hi/gender"), "hi/gender"),
        (("--scheduler", "tcp://127.0.0.1:9"), "127.0.0.1:9"),
        (("--scheduler", "nowhere"), "nowhere"),
    ],
    ids=["by-what", "names-of-what", "no-concept", "other-language", "dead", "no-address"],
)
def test_what_cannot_be_swapped_or_counted_is_refused(
    shell: Shell,
    text_options: Path,
    tmp_path: Path,
    options: tuple[str, ...],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scheduler, "CONNECT_SECONDS", 1)
    out = tmp_path / "model.fairvec"
    answer = shell("train", text_options, "--language", "en", *QUICK, *options, "-o", out)
    assert answer.code == 2, answer.err
    assert message in " ".join(answer.err.split())
    assert "Traceback" not in answer.err
    assert not out.exists()


# --- fairvec train: input that cannot be trained on is refused; nothing is left of it ---


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
    ("how", "message"),
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
    shell: Shell, text: Path, tmp_path: Path, how: str, message: str, kind: str
) -> None:
    place, out = spoilt(tmp_path, how), tmp_path / "new" / "m.fairvec"
    command = ("train", place, "--language", "en", "--model", kind, "--checkpoint", tmp_path / "k")
    answer = shell(*(command if kind == "glove" else command[:-2]), *QUICK, "-o", out)
    assert answer.code == 2, answer.err
    *_, sentence = answer.err.splitlines()
    assert sentence.startswith("error: ")
    if kind == "skipgram" and how in ("only-marks", "one-word", "all-rare"):
        message = "a model needs two"
    assert message in sentence
    assert not (tmp_path / "new").exists()
    assert not [*(tmp_path / "k").glob("*")]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--model", "poincare-glove", "--balls", 4), "cannot be shared by 4 balls"),
        (("--balls", 2), "kind glove has no setting balls, only poincare-glove; leave it out"),
        (("--model", "cbow", "--x-max", 10), "kind cbow has no setting x max, only glove and"),
        (("--model", "word2vec"), "There is no kind of model named 'word2vec'"),
        (("--words", "lemmas"), "There are no lemmas of the language 'en', only of ru"),
        (("--epochs", 0), "epochs is 0; it must lie between 1 and 100,000"),
        (("--rate", "nan"), "rate is nan; it must be a finite number"),
        (("--max-memory", "lots"), "is no size of memory"),
        (("--model", "cbow", "--checkpoint", "k"), "leave --checkpoint (checkpoint=) out."),
        (("--model", "cbow", "--engine", "gpu"), "gensim trains cbow on the processor"),
        (("--language", "english"), "english"),
        (("-o", "m.parquet"), "not written to a file that ends like this"),
    ],
)
def test_an_impossible_choice_is_refused(
    shell: Shell, text: Path, tmp_path: Path, options: tuple[Any, ...], message: str
) -> None:
    answer = shell(
        *("train", text, "--language", "en", *QUICK, "-o", tmp_path / "m.fairvec", *options)
    )
    assert answer.code == 2
    assert message in answer.err
    assert answer.err.count("error: ") == 1
    assert left(tmp_path) == set()


def test_the_shell_and_python_train_alike_by_default() -> None:
    shell, python = (
        {name: each.default for name, each in signature(call).parameters.items()}
        for call in (module.train, train_embedding)
    )
    shared = shell.keys() & python.keys() - {"max_memory"}  # the shell's is text, as in 2GiB
    assert {"seed", "threads", "engine", "scheduler"} <= shared
    assert {name: shell[name] for name in shared} == {name: python[name] for name in shared}
    assert python["engine"] == "cpu"


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_a_seed_out_of_range_is_a_slip_and_no_fault(
    shell: Shell, text: Path, tmp_path: Path, seed: int
) -> None:
    out = tmp_path / "m.fairvec"
    answer = shell("train", text, "--language", "en", *QUICK, "--seed", seed, "-o", out)
    assert answer.code == 2
    assert "--seed is" in answer.err
    assert left(tmp_path) == set()


def test_a_corpus_that_is_not_there_is_named(shell: Shell, text: Path, tmp_path: Path) -> None:
    (tmp_path / "corpus" / "none").mkdir()
    (tmp_path / "corpus" / "none" / "table.csv").write_text("a,b", encoding="utf-8")
    for name, message in (
        ("none", "the folder holds no text"),
        ("absent.txt", "there is no such file"),
        ("*.gz", "no file matches"),
    ):
        place = tmp_path / "corpus" / name
        answer = shell("train", place, "--language", "en", "-o", tmp_path / "m.fairvec")
        assert (answer.code, message in answer.err) == (2, True)
    assert left(tmp_path) == set()


def test_a_place_that_cannot_be_written_is_refused_before_training(
    shell: Shell, text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: Any, **__: Any) -> None:
        raise AssertionError("nothing is trained for a place that cannot be written")

    monkeypatch.setattr(module, "train_embedding", never)
    (tmp_path / "corpus" / "there.fairvec").write_text("mine", encoding="utf-8")
    (tmp_path / "corpus" / "folder.fairvec").mkdir()
    for name, options, message in (
        ("text.txt/m.fairvec", (), "nothing can be written there (not a directory)"),
        ("there.fairvec", (), "exists already; choose another name, or say --force"),
        ("folder.fairvec", ("--force",), "is a folder; name a file"),
    ):
        out = tmp_path / "corpus" / name
        answer = shell("train", text, "--language", "en", "-o", out, *options)
        assert (answer.code, message in answer.err) == (2, True), answer.err


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
    checkpoint = ("--checkpoint", tmp_path / "kept")
    answer = shell(
        "train", text, "--language", "en", *QUICK, *checkpoint, "-o", tmp_path / "m.fairvec"
    )
    assert answer.code == 2
    assert "is full; free some of it, or name another folder" in answer.err
    assert left(tmp_path) == set()


def test_a_training_that_is_refused_leaves_no_folder(
    shell: Shell, text: Path, tmp_path: Path
) -> None:
    place = tmp_path / "new" / "kept"
    options = ("--language", "en", *QUICK[:6], "--min-count", 10**6, "--checkpoint", place)
    answer = shell("train", text, *options, "-o", tmp_path / "model.fairvec")
    assert (answer.code, "a model needs two" in answer.err) == (2, True)
    assert left(tmp_path) == set()


# --- convert ---


def test_a_text_file_becomes_native_and_binary(
    shell: Shell, model_file: Path, tmp_path: Path
) -> None:
    native, binary = tmp_path / "a.fairvec", tmp_path / "a.bin.gz"
    assert shell("convert", model_file, native).code == 0
    answer = shell("convert", native, binary)
    assert answer.code == 0
    assert "18 keys x 6 in the format word2vec-binary" in answer.err
    assert "Not kept: history;" in answer.err
    np.testing.assert_array_equal(fairvec.load(binary).vectors, fairvec.load(model_file).vectors)


def test_a_native_file_keeps_everything_and_says_nothing(
    shell: Shell, model_file: Path, tmp_path: Path
) -> None:
    answer = shell("convert", model_file, tmp_path / "a.fairvec")
    assert "Not kept" not in answer.err
    assert answer.out == ""


def test_the_catalogue_lends_licence_and_origin(shell: Shell, tmp_path: Path) -> None:
    native = tmp_path / "a.fairvec"
    assert shell("convert", "glove-hi-small", native).code == 0
    assert native_metadata(native).licence
    again = tmp_path / "b.fairvec"
    assert shell("convert", native, again).code == 0
    assert native_metadata(again).origin == native_metadata(native).origin
    assert "licence, origin" in shell("convert", native, tmp_path / "a.npz").err


def test_what_is_there_is_not_written_over(shell: Shell, model_file: Path, tmp_path: Path) -> None:
    target = tmp_path / "a.vec"
    target.write_text("mine")
    answer = shell("convert", model_file, target)
    assert answer.code == 2
    assert "exists already" in answer.err
    assert target.read_text() == "mine"
    assert shell("convert", model_file, target, "--force").code == 0
    assert len(fairvec.load(target)) == 18


def test_an_ending_that_is_not_known_is_refused_before_reading(
    shell: Shell, tmp_path: Path
) -> None:
    answer = shell("convert", tmp_path / "absent.vec", tmp_path / "a.kv")
    assert answer.code == 2
    assert ".fairvec (native)" in answer.err


def test_a_ball_needs_its_geometry_and_says_what_text_loses(shell: Shell, tmp_path: Path) -> None:
    ball = fairvec.save(toys.embedding(0.3, space=Poincare(0.5)), tmp_path / "ball.npz")
    native, text = tmp_path / "ball.fairvec", tmp_path / "ball.any"
    options = ("--geometry", "poincare", "--curvature", "0.5", "--format", "npz")
    assert shell("convert", ball, native, *options).code == 0
    assert fairvec.load(native).geometry == Poincare(0.5)
    answer = shell("convert", native, text, "--to", "word2vec-text")
    assert "Not kept: geometry poincare, curvature 0.5, history;" in answer.err
    assert text.read_text().startswith("18 6\n")


def test_only_some_words(shell: Shell, model_file: Path, tmp_path: Path) -> None:
    words, target = tmp_path / "words.txt", tmp_path / "a.txt"
    words.write_bytes("\ufeffman\r\nwoman\nслово\n\n".encode())
    answer = shell("convert", model_file, target, "--words", words)
    assert answer.code == 0
    assert "1 of the 3 words wanted is not in" in answer.err
    assert sorted(fairvec.load(target).keys) == ["man", "woman"]
    words.write_bytes(b"\xff\xfe")
    answer = shell("convert", model_file, target, "--words", words, "--force")
    assert answer.code == 2
    assert "words.txt, line 1: this is not UTF-8; save it as UTF-8." in answer.err


def two_models(file: Path) -> None:
    gensim = pytest.importorskip("gensim.models", reason="the extra gensim is not installed")
    sentences = [["man", "woman", "king"], ["queen", "king", "man"]] * 3
    gensim.Word2Vec(sentences, vector_size=4, min_count=1, seed=1, workers=1).save(str(file))


def points_outside(file: Path) -> None:
    np.savez(file, keys=np.array(["in", "out"]), vectors=np.array([[0.1, 0.2], [0.8, 0.8]]))


def a_key_that_is_not_utf8(file: Path) -> None:
    file.write_bytes(b"2 2\nman 1 2\nwom\xffn 3 4\n")


@pytest.mark.parametrize(
    ("make", "name", "how_read"),
    [
        (two_models, "a.model", {"vectors": "context"}),
        (two_models, "a.model", {"vectors": "aggregated"}),
        (points_outside, "a.npz", {"geometry": "poincare", "outside": "project"}),
        (points_outside, "a.npz", {"geometry": "poincare", "curvature": 0.5}),
        (a_key_that_is_not_utf8, "a.vec", {"invalid_utf8": "replace"}),
        (a_key_that_is_not_utf8, "a.any", {"format": "word2vec-text", "invalid_utf8": "replace"}),
    ],
)
def test_a_model_is_converted_as_it_would_be_read(
    shell: Shell, tmp_path: Path, make: Any, name: str, how_read: dict[str, Any]
) -> None:
    file, target = tmp_path / name, tmp_path / "b.fairvec"
    make(file)
    assert shell("convert", file, target, *as_options(how_read)).code == 0
    read, converted = fairvec.load(file, **how_read), fairvec.load(target)
    assert list(converted.keys) == list(read.keys)
    assert converted.geometry == read.geometry
    np.testing.assert_array_equal(converted.vectors, read.vectors)


def test_every_option_of_reading_can_be_given(shell: Shell) -> None:
    page = shell("convert", "--help").out
    for each in fields(LoadOptions):
        assert f"--{each.name.replace('_', '-')} " in page


def as_options(settings: dict[str, Any]) -> Sequence[str]:
    return [
        text
        for name, value in settings.items()
        for text in (f"--{name.replace('_', '-')}", str(value))
    ]
