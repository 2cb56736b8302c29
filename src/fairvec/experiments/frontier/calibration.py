"""Calibration: the strength at which the effects of a concept vanish.

f(s) = mean over the tests of sign(d before) d(s)

A strength found on tests is tuned to them: they are no evidence about it any more.
"""

from collections.abc import Callable, Sequence
from statistics import fmean

from fairvec.core.errors import NoSpreadError
from fairvec.embedding import Embedding
from fairvec.geometry import default_similarity
from fairvec.lexicon import SelectedTest, resolve
from fairvec.messages.frontiers import SMALLEST_VISIBLE, calibrated_note, full_strength_note
from fairvec.metrics.bias.weat import Weat
from fairvec.mitigation import Transform

STRENGTH_TOLERANCE = 1 / 128
"""Width of the bracket at which the bisection for the strength stops."""


RemainingEffect = Callable[[Transform], float]
"""f of a fitted method: as large as it was if nothing changed, 0 if nothing is left, else reversed.
"""


def remaining_effect(embedding: Embedding, tests: Sequence[SelectedTest]) -> RemainingEffect:
    """Return what gives the mean effect of some tests in its original direction after a change."""
    groups = [resolve(selected.test, embedding) for selected in tests]
    entries = (word for entry in groups for group in entry.groups.values() for word in group.found)
    keys = list(dict.fromkeys(key for entry in entries for key in entry.keys))
    words = Embedding(keys, embedding.rows(keys), embedding.geometry, embedding.name)
    signs = [1 if _effect(words, selected) > 0 else -1 for selected in tests]

    def after(transform: Transform) -> float:
        debiased = transform.transform(words)
        pairs = zip(signs, tests, strict=True)
        return fmean(sign * _effect(debiased, selected) for sign, selected in pairs)

    return after


def calibrated_strength(
    fit: Callable[[float], Transform], remaining: RemainingEffect
) -> tuple[float, str]:
    """Return by bisection the strength at which f is zero; 1 where even that leaves some of it.

    The second is one sentence about what is left there.
    """
    at_full_strength = remaining(fit(1.0))
    if at_full_strength > -SMALLEST_VISIBLE:
        return 1.0, full_strength_note(at_full_strength)
    low, high = 0.0, 1.0
    while high - low > STRENGTH_TOLERANCE:
        middle = (low + high) / 2
        low, high = (middle, high) if remaining(fit(middle)) > 0 else (low, middle)
    strength = (low + high) / 2
    # Between two strengths that were tried f may fall steeply, or jump.
    return strength, calibrated_note(at_full_strength, strength, remaining(fit(strength)))


def _effect(embedding: Embedding, selected: SelectedTest) -> float:
    weat = Weat(similarity=default_similarity(embedding.geometry))
    try:
        return weat.measure(resolve(selected.test, embedding), embedding.geometry).value
    except NoSpreadError:
        return 0.0
