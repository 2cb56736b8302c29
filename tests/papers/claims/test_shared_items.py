"""Claims about a benchmark whose items the models do not all know."""

from pathlib import Path
from typing import cast

import numpy as np
import pytest

from fairvec.benchmarks import SemBiasSet, benchmark
from fairvec.papers import ClaimAnswer, parse_claims, parse_paper, reproduce
from tests.papers.claims.toy import TOY
from tests.papers.conftest import write_vectors

TABLE = """
[[tables]]
id = "choices"
title = "SemBias"
shows = ["%"]
benchmark = "sembias"
[tables.columns]
one = { role = "one" }
two = { role = "two" }
[tables.rows]
Def = { part = "definition", cells = ["90", "90"] }
Ster = { part = "stereotype", cells = ["10", "10"] }
"""

CLAIM = """
[[claims]]
id = "a-claim"
says = "A claim."
where = "Table"
"""


@pytest.fixture(autouse=True)
def data(shared_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRVEC_DATA", str(shared_data))


def chooser(path: Path, *, stereotyped: int = 0, without: int = 0) -> Path:
    """A model that answers every row as defined, or for some defining pairs by the stereotype.

    The last `stereotyped` defining pairs lie across the axis of he and she, and the last `without`
    of them are unknown.
    """
    rows = cast(SemBiasSet, benchmark("sembias")).rows
    sides = {"he": [1.0, 0.0, 0.5], "she": [-1.0, 0.0, 0.5]}
    defining = list(dict.fromkeys(row.definition for row in rows))
    for row in rows:
        for pair in row.pairs:
            for word, sign in zip(pair, (1, -1), strict=True):
                sides.setdefault(word, [0.1 * sign, 0.2 * sign, 0.5])
        for word, sign in zip(row.stereotype, (1, -1), strict=True):
            sides[word] = [0.4 * sign, 0.2 * sign, 0.5]
    for place, pair in enumerate(defining):
        across = place >= len(defining) - stereotyped
        for word, sign in zip(pair, (1, -1), strict=True):
            sides[word] = [0.0, float(sign), 0.5] if across else [float(sign), 0.0, 0.5]
    for pair in defining[len(defining) - without :]:
        for word in pair:
            sides.pop(word, None)
    return write_vectors(path, sides, np.array([*sides.values()]))


def answer(claim: str, **models: Path) -> ClaimAnswer:
    chosen = parse_paper(TOY + TABLE)
    given = {role: [str(path)] for role, path in models.items()}
    (found,) = reproduce(
        chosen, stand_ins=given, claims=parse_claims(f"{CLAIM}{claim}", chosen)
    ).claims
    return found


BETWEEN = (
    'roles = ["one", "two"]\n'
    'test = { kind = "lowered", before = { table = "choices", column = "one", rows = ["Ster"] }, '
    'after = { table = "choices", column = "two", rows = ["Ster"] } }'
)


def test_two_models_are_compared_over_the_items_of_both(tmp_path: Path) -> None:
    """What only one of them was asked is no difference between the two."""
    whole = chooser(tmp_path / "whole.txt", stereotyped=11)
    half = chooser(tmp_path / "half.txt", stereotyped=11, without=11)
    found = answer(BETWEEN, one=whole, two=half)
    assert found.method is not None
    assert found.method.n < 440
    assert (found.figures["before"], found.figures["after"]) == pytest.approx((0, 0))
    assert found.grade == "undecided"
    assert "0 in whole, 0 in half" in found.sentence
    assert found.method.how == "Student's t over the pairs that items combine, two-sided"


def test_a_difference_is_told_over_the_items_of_both(tmp_path: Path) -> None:
    """Three quarters of the shared items, whatever the first model says of the others."""
    whole = chooser(tmp_path / "whole.txt", stereotyped=19)
    half = chooser(tmp_path / "half.txt", without=11)
    found = answer(BETWEEN, one=whole, two=half)
    assert found.grade == "holds"
    assert found.figures["before"] == pytest.approx(100 * 8 / 11)
    assert found.figures["low"] <= found.figures["change"] <= found.figures["high"]
    assert (found.figures["low"] + found.figures["high"]) / 2 == pytest.approx(
        found.figures["change"], abs=1
    )


def test_a_share_of_nothing_is_no_certain_one(tmp_path: Path) -> None:
    """Resampled rows that are all alike say nothing of other rows."""
    test = 'kind = "threshold", at_most = 0.05, cells = { table = "choices", column = "one", '
    found = answer(
        f'role = "one"\ntest = {{ {test} rows = ["Ster"] }} }}',
        one=chooser(tmp_path / "sure.txt"),
    )
    assert found.grade == "holds"
    assert found.figures["value"] == 0
    assert "by the number alone, no uncertainty is known" in found.sentence
