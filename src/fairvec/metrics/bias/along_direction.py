"""What the metrics that read words along a direction have in common."""

from fairvec.errors import UndefinedError
from fairvec.geometry import COSINE, FloatArray, Geometry, Similarity
from fairvec.lexicon import Groups
from fairvec.metrics.bias.direction import Direction, bias_direction
from fairvec.metrics.targets import Targets, targets


class AlongDirection:
    """Words read one by one against a and b, by the cosine seen from the origin; 0 is neutral."""

    @property
    def needs(self) -> tuple[str, ...]:
        """One list of words, or x and y, and two attribute lists."""
        return ("words", "a", "b")

    @property
    def neutral(self) -> float:
        """No bias along the direction."""
        return 0.0

    @property
    def similarity(self) -> Similarity | None:
        """The cosine, in the ball too: there it is the angle seen from the origin."""
        return COSINE

    @property
    def convention(self) -> None:
        """The value is no effect size."""
        return None


def words_of(groups: Groups) -> Targets:
    """Return the words to read; there must be some."""
    words = targets(groups)
    if not words.found:
        raise UndefinedError(
            f"No word of the test {groups.test.id} was found; use a model that knows its words."
        )
    return words


def cosines(vectors: FloatArray, groups: Groups, geometry: Geometry, how: Direction) -> FloatArray:
    """Return cos(w, g) of each word: positive leans to a, negative to b."""
    along: FloatArray = COSINE.between(vectors, bias_direction(groups, how)[None], geometry)[:, 0]
    return along
