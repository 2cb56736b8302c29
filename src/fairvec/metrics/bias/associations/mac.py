"""Mean average cosine distance."""

from dataclasses import dataclass
from typing import ClassVar

from fairvec.geometry import COSINE, Geometry, Similarity
from fairvec.lexicon import Groups
from fairvec.metrics.bias.parts.association import closeness
from fairvec.metrics.means import mean_of_cells
from fairvec.metrics.score import OneSample, Score
from fairvec.metrics.targets import targets
from fairvec.metrics.traits import Traits
from fairvec.results import Convention


@dataclass(frozen=True)
class Mac:
    """How far are the words from the attribute lists, all lists taken together?

    MAC = mean over words w and lists L of (mean over l in L of 1 - cos(w, l)), L being A and B

    It goes from 0 to 2. Near 1: the words have nothing to do with the attributes; below 1: they
    are close to them; above 1: they point away. Both lists count alike whatever their sizes, and
    closeness to A is not set against closeness to B, so MAC does not say which way a word leans.
    In the ball the cosine is that seen from the origin.

    Manzini, Lim, Tsvetkov & Black (2019), NAACL, 615-621, where the name says similarity and the
    figures are distances.
    """

    name: ClassVar[str] = "mac"
    needs: ClassVar[tuple[str, ...]] = ("words", "a", "b")
    neutral: ClassVar[float | None] = 1.0
    meaning: ClassVar[str] = (
        "1: the words are unrelated to A and B; below 1: they are close to them; above 1: "
        "they point away from them."
    )
    similarity: ClassVar[Similarity | None] = COSINE
    convention: ClassVar[Convention | None] = None
    traits: ClassVar[Traits] = Traits(
        sees="words to A and B",
        shown="below",
    )

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        """Return MAC and each word's own mean distance."""
        words = targets(groups)
        a, b = groups["a"].vectors, groups["b"].vectors
        distances = 1 - closeness(words.vectors, a, b, COSINE, geometry).means
        samples = OneSample(distances, mean_of_cells)
        return Score(float(mean_of_cells(distances)), words.shares(distances.mean(axis=1)), samples)
