"""Gyrocosine bias: to which of two centres in the ball do words point?"""

from dataclasses import dataclass
from typing import ClassVar

from fairvec.geometry import COSINE, Geometry, Similarity
from fairvec.geometry.ball.gyro_axis import gyro_axis
from fairvec.geometry.sizes import sized, unit
from fairvec.lexicon import Groups
from fairvec.metrics.bias.parts.along_direction import words_of
from fairvec.metrics.bias.parts.direction import attributes
from fairvec.metrics.means import mean_of_rows
from fairvec.metrics.score import OneSample, Score
from fairvec.metrics.traits import Traits
from fairvec.results import Convention


@dataclass(frozen=True)
class GyrocosineBias:
    """To which side do words lean in the ball, A or B?

    gamma(w) = (cos(w, g_ab) - cos(w, g_ba)) / 2,   g_ab = -m_A (+) m_B,   g_ba = -m_B (+) m_A

    m_A and m_B are the Fréchet means of the two lists, cos is that of gyrovectors, seen from the
    origin. The value is the mean over words. As published, and unlike the other measures, POSITIVE
    leans to B (to the female terms, where A holds the male ones) and negative to A; between -1 and
    1. In flat space it is the cosine with the difference of the two means.

    Kumar et al. (2020), arXiv:2109.13767, section 3.1.
    """

    name: ClassVar[str] = "gyrocosine-bias"
    needs: ClassVar[tuple[str, ...]] = ("words", "a", "b")
    neutral: ClassVar[float | None] = 0.0
    meaning: ClassVar[str] = (
        "Positive: the words lean to B; negative: to A; 0: to neither on the whole."
    )
    similarity: ClassVar[Similarity | None] = COSINE
    convention: ClassVar[Convention | None] = None
    traits: ClassVar[Traits] = Traits(
        sees="words to A",
        shown="below",
        positive="the words lean to B",
        positive_words="b",
        swapped_attributes="turned",
        lengths="common",
    )

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return the mean gamma(w), and each word's own."""
        words = words_of(groups)
        a, b = (geometry.mean(side).point for side in attributes(groups))
        axis = gyro_axis(a, b, geometry)
        seen = geometry.log0(words.vectors)
        rows_seen, far = sized(seen)
        if not far.all():
            unit(seen)  # says what is wrong
        leanings = rows_seen @ axis / (2 * far)
        rows = leanings[:, None]
        samples = OneSample(rows, mean_of_rows)
        return Score(float(mean_of_rows(rows)), words.shares(leanings), samples)
