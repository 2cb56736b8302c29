"""fairvec train: what a user sees, and what is written."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

import fairvec
from fairvec.cli import training_progress
from fairvec.cli.console import duration
from fairvec.cli.training_progress import format_epoch
from fairvec.training.glove.glove import EpochProgress
from fairvec.training.train import KINDS
from tests import toys
from tests.cli.commands.quick_training import QUICK, left, write_corpus
from tests.cli.conftest import Shell


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
    done = EpochProgress(3, 25, 0.0316, 50_000, 52_000_000, 4.0)
    told = "50,000 words, epoch 3 of 25: loss 0.03160, 13.0M pairs a second, 1 min 28 s left"
    assert format_epoch(done) == told
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

    def interrupt(done: EpochProgress) -> str:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(training_progress, "format_epoch", interrupt)
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


def test_folders_and_packed_files_are_one_corpus(shell: Shell, text: Path, tmp_path: Path) -> None:
    content = text.read_bytes()
    (tmp_path / "corpus" / "more.txt.gz").write_bytes(gzip.compress(content))
    out = tmp_path / "m.fairvec"
    answer = shell("train", tmp_path / "corpus", "--language", "en", *QUICK, "-o", out)
    assert answer.code == 0, answer.err
    assert answer.err.startswith("7,202 words read")
    step, *_ = fairvec.load(out).history
    assert step.details["corpus"] == ["more.txt.gz", "text.txt"]
