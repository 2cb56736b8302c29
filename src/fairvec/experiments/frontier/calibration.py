"""Calibration: the strength at which the effects of a concept vanish.

f(s) = mean over the tests of sign(d before) d(s)

A strength that was found on tests is tuned to them: they are no evidence about it any more.
"""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import fmean

from fairvec.core.errors import NoSpreadError
from fairvec.core.format import format_number
from fairvec.embedding import Embedding
from fairvec.geometry import default_similarity
from fairvec.lexicon import SelectedTest, resolve
from fairvec.metrics import Weat
from fairvec.mitigation import Transform

FINE = 1 / 128
"""How narrowly the strength is sought."""
VISIBLE = 0.005
"""A smaller effect is 0.00 in two digits."""


@dataclass(frozen=True, eq=False)
class Leaning:
    """How far the effects of some tests still go the way they went, and only their words."""

    words: Embedding
    tests: tuple[SelectedTest, ...]
    signs: tuple[int, ...]

    @classmethod
    def of(cls, embedding: Embedding, tests: tuple[SelectedTest, ...]) -> "Leaning":
        """Keep the vectors of the tests' words, and which way each effect goes."""
        groups = [resolve(each.test, embedding) for each in tests]
        found = (f for one in groups for group in one.groups.values() for f in group.found)
        keys = list(dict.fromkeys(key for one in found for key in one.keys))
        words = Embedding(keys, embedding.rows(keys), embedding.geometry, embedding.name)
        signs = tuple(1 if _effect(words, each) > 0 else -1 for each in tests)
        return cls(words, tests, signs)

    def after(self, transform: Transform) -> float:
        """Return f: as large as it was if nothing changed, 0 if nothing is left, else reversed."""
        moved = transform.transform(self.words)
        pairs = zip(self.signs, self.tests, strict=True)
        return fmean(sign * _effect(moved, each) for sign, each in pairs)


@dataclass(frozen=True)
class Calibration:
    """A strength and what was found there."""

    strength: float
    note: str


def calibrate(fit: Callable[[float], Transform], leaning: Leaning) -> Calibration:
    """Find by bisection the strength at which f is zero; 1 where even that leaves some of it."""
    at_most = leaning.after(fit(1.0))
    if at_most >= VISIBLE:
        so_far = f"go on the way they went, by {at_most:.2f} on average"
        return Calibration(1.0, f"Even at full strength the effects {so_far}.")
    if at_most > -VISIBLE:
        return Calibration(1.0, "At full strength there is nothing left of the effects on average.")
    low, high = 0.0, 1.0
    while high - low > FINE:
        middle = (low + high) / 2
        low, high = (middle, high) if leaning.after(fit(middle)) > 0 else (low, middle)
    strength = (low + high) / 2
    # Between two strengths that were tried f may fall steeply, or jump.
    left = leaning.after(fit(strength))
    there = (
        f"at {strength:.3f} nothing is left of them on average"
        if abs(left) < VISIBLE
        else f"they turn at {strength:.3f}, where {format_number(left)} is left of them on average"
    )
    return Calibration(
        strength, f"At full strength the effects turn round, to {format_number(at_most)}; {there}."
    )


def _effect(embedding: Embedding, each: SelectedTest) -> float:
    weat = Weat(similarity=default_similarity(embedding.geometry))
    try:
        return weat.measure(resolve(each.test, embedding), embedding.geometry).value
    except NoSpreadError:
        return 0.0
