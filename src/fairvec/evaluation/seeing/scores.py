"""Words over several axes at once, on one scale: what parallel coordinates draw."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from fairvec.evaluation.seeing.axes import MapAxis
from fairvec.evaluation.seeing.shown_words import ShownWords
from fairvec.geometry import FloatArray
from fairvec.ground.errors import UnknownNameError

Scale = Literal["z", "rank", "raw"]

SCALES: dict[Scale, str] = {
    "z": "leaning less the mean of the shown words, over their standard deviation (ddof 1)",
    "rank": "share of the shown words that lean less, those that lean alike counting half: 0 to 1",
    "raw": "leaning as it is",
}
"""What a score is, by the name of its scale."""


def concept_scores(
    shown: ShownWords, axes: Sequence[MapAxis], scale: Scale = "z"
) -> list[FloatArray]:
    """Return for each axis the score of every shown word, put on a scale.

    Positive z: leans more to the first end than the shown words do on average, in deviations. On an
    axis on which all lean alike z is 0 and the rank 0.5.
    """
    if scale not in SCALES:
        raise UnknownNameError("scale", scale, SCALES)
    return [_scaled(axis.leaning(shown.points), scale) for axis in axes]


def _scaled(leanings: FloatArray, scale: Scale) -> FloatArray:
    if scale == "raw":
        return leanings
    if scale == "rank":
        ordered = np.sort(leanings)
        below, up_to = (np.searchsorted(ordered, leanings, side) for side in ("left", "right"))
        ranks: FloatArray = (below + up_to) / 2 / len(leanings)
        return ranks
    spread = leanings.std(ddof=1) if len(leanings) > 1 else 0.0
    if spread <= 16 * np.finfo(np.float64).eps * np.abs(leanings).max():
        return np.zeros_like(leanings)
    scores: FloatArray = (leanings - leanings.mean()) / spread
    return scores
