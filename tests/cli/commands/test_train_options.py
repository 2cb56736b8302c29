"""fairvec train: words that are swapped in the text, and counting on a cluster."""

from pathlib import Path

import pytest

import fairvec
from fairvec.training import cluster as scheduler
from tests.cli.commands.quick_training import QUICK
from tests.cli.conftest import Shell
from tests.training.texts import write_text


@pytest.fixture
def text(tmp_path: Path) -> Path:
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
    ("asked", "said"),
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
def test_what_cannot_be_swapped_or_counted_is_said(
    shell: Shell,
    text: Path,
    tmp_path: Path,
    asked: tuple[str, ...],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scheduler, "CONNECT_SECONDS", 1)
    out = tmp_path / "model.fairvec"
    answer = shell("train", text, "--language", "en", *QUICK, *asked, "-o", out)
    assert answer.code == 2, answer.err
    assert said in " ".join(answer.err.split())
    assert "Traceback" not in answer.err
    assert not out.exists()
