"""Words read along the direction between two attribute lists, and the score of their cosines."""

from collections.abc import Callable

from fairvec.geometry import COSINE, FloatArray, Geometry
from fairvec.ground.errors import UndefinedError
from fairvec.lexicon import Groups
from fairvec.metrics.bias.parts.direction import Direction, bias_direction
from fairvec.metrics.score import OneSample, Score
from fairvec.metrics.targets import Targets, targets


def words_of(groups: Groups) -> Targets:
    """Return the words to read; there must be some."""
    words = targets(groups)
    if not words.found:
        raise UndefinedError(
            f"No word of the test {groups.test.id} was found; use a model that knows its words."
        )
    return words


def score_along(
    groups: Groups, geometry: Geometry, how: Direction, effect: Callable[[FloatArray], FloatArray]
) -> Score:
    """Return the effect of the words' cos(w, g), and each word's own: positive leans to a."""
    words = words_of(groups)
    rows = COSINE.between(words.vectors, bias_direction(groups, how)[None], geometry)
    return Score(float(effect(rows)), words.shares(rows[:, 0]), OneSample(rows, effect))
