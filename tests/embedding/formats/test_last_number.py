"""Text that is cut inside its last number is suspected, and honest text is not."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import fairvec
from fairvec.cli.app import app
from fairvec.embedding.formats.text import (
    SUSPECTED,
    UNENDED,
    Written,
    oddity,
    remark_on_ending,
    written,
)

STYLES: dict[str, Callable[[float], str]] = {
    "fixed": lambda x: f"{x:.6f}",
    "five digits": lambda x: f"{x:.5g}",
    "shortest": lambda x: str(np.float32(x)),
    "double": repr,
    "exponents": lambda x: f"{x:.8e}",
    "whole": lambda x: str(int(100 * x)),
    "mostly zeros": lambda x: "0" if abs(x) < 1 else f"{x:.5g}",
}
RANDOM = np.random.default_rng(5)


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("0.00123", Written(5, 3, 9)),
        ("-12.5e-07", Written(1, 3, 2)),
        ("7", Written(-1, 1, 9)),
        ("0.", Written(0, 0, 9)),
        (".5", Written(1, 1, 9)),
        ("nan", None),
    ],
)
def test_how_a_number_is_written(text: str, how: Written | None) -> None:
    assert written(text) == how


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("size", [20, 150, 900])
def test_honest_numbers_are_hardly_ever_suspected(style: str, size: int) -> None:
    """The level that the module states: one in a hundred, here within four of its errors."""
    trials = 200
    wrong = 0
    for _ in range(trials):
        texts = [STYLES[style](float(x)) for x in RANDOM.normal(size=size)]
        wrong += bool(oddity(texts[-1], texts[:-1]))
    assert wrong <= trials * 0.01 + 4 * np.sqrt(trials * 0.01)


def test_a_number_of_few_digits_among_many_long_ones_is_suspected() -> None:
    texts = [f"{x:.6f}" for x in RANDOM.normal(size=400)]
    for length in range(1, len(texts[0]) - 1):
        said = oddity("0.123456"[:length], texts)
        assert "none of 400 others has so few" in said
    assert not oddity("0.123456", texts)
    assert not oddity("0.12345", texts[:50])  # too few to know how this file writes numbers


def test_an_exponent_that_lost_a_digit_is_suspected() -> None:
    texts = [f"{x:.6e}" for x in RANDOM.normal(size=400)]
    assert "digits of its exponent" in oddity("1.234567e-0", texts)


@pytest.mark.parametrize(("ending", "between"), [(".txt", " "), (".csv", ","), (".vec", " ")])
def test_a_cut_file_is_read_and_said_to_be_cut(tmp_path: Path, ending: str, between: str) -> None:
    rows = RANDOM.normal(size=(60, 8))
    lines = [between.join([f"w{n}", *(f"{x:.6f}" for x in row)]) for n, row in enumerate(rows)]
    text = ("60 8\n" if ending == ".vec" else "") + "\n".join(lines)
    whole, bare, cut = (tmp_path / f"{name}{ending}" for name in ("whole", "bare", "cut"))
    whole.write_text(text + "\n")
    bare.write_text(text)
    cut.write_text(text[:-3])
    assert UNENDED not in fairvec.load(whole).history[-1].details
    honest = fairvec.load(bare)
    assert honest.history[-1].details[UNENDED] == f"missing after {rows[-1, -1]:.6f}"
    assert SUSPECTED not in honest.history[-1].details
    assert remark_on_ending(honest) == (
        f"The last line break of bare is missing after {rows[-1, -1]:.6f}: if it was not written "
        "so, it is cut off there; compare its size with the original's."
    )
    assert remark_on_ending(fairvec.load(whole)) == ""
    found = fairvec.load(cut)
    assert len(found) == 60
    said = remark_on_ending(found)
    assert said.startswith("cut may be cut off inside its last number: ")
    assert "has 3 decimals, where none of 479 others has so few" in said


def test_the_shell_says_so(tmp_path: Path) -> None:
    path = tmp_path / "cut.txt"
    rows = RANDOM.normal(size=(60, 8))
    lines = [" ".join([f"w{n}", *(f"{x:.6f}" for x in row)]) for n, row in enumerate(rows)]
    path.write_text("\n".join(lines)[:-3])
    done = CliRunner().invoke(app, ["neighbours", str(path), "w1"])
    assert done.exit_code == 0
    assert "may be cut off inside its last number" in " ".join(done.output.split())
