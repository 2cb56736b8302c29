import numpy as np
import pytest

from fairvec.core.errors import UnknownNameError
from fairvec.geometry import Euclidean
from fairvec.lexicon import resolve
from fairvec.metrics.bias.direction import Part, Same
from tests import toys
from tests.metrics.along import PAIRS, cosine, looked_up

ROOT = np.sqrt(0.5)


@pytest.mark.parametrize(
    ("part", "name", "expected"),
    [
        ("bias", "same", (1 + ROOT) / 3),
        ("skew", "same-skew", (1 - ROOT) / 3),
        ("stereotype", "same-stereotype", np.sqrt(1.5 / 3 - ((1 - ROOT) / 3) ** 2)),
    ],
)
def test_the_parts_by_hand(part: Part, name: str, expected: float) -> None:
    metric = Same(part)
    score = metric.measure(looked_up(PAIRS, paired=True), Euclidean())
    assert metric.name == name
    assert score.value == pytest.approx(expected, rel=1e-14)


def test_the_parts_equal_the_papers_formulas_on_the_toy() -> None:
    embedding = toys.embedding(0.3)
    groups = resolve(toys.suite().tests[0], embedding)
    means = {
        role: sum(row / np.sqrt(row @ row) for row in embedding.rows(toys.WORDS[role]))
        / len(toys.WORDS[role])
        for role in "ab"
    }
    b = [
        cosine(row, means["a"] - means["b"])
        for role in "xy"
        for row in embedding.rows(toys.WORDS[role])
    ]
    values = [
        Same(part).measure(groups, Euclidean()).value for part in ("bias", "skew", "stereotype")
    ]
    spread = np.sqrt(np.mean([(one - np.mean(b)) ** 2 for one in b]))
    assert values == pytest.approx([np.mean(np.abs(b)), np.mean(b), spread], rel=1e-12)


def test_an_unknown_part_gets_an_offer() -> None:
    with pytest.raises(UnknownNameError, match="stereotype"):
        Same("stereotypes")  # type: ignore[arg-type]
