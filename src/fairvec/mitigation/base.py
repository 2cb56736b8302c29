"""What a debiasing method is (`Debiaser`), and the guarantees that its transform can give."""

from abc import abstractmethod
from dataclasses import asdict
from typing import Annotated, Any, ClassVar, Literal, Protocol

from pydantic import Field

from fairvec.core.errors import SettingError
from fairvec.core.format import method_setting_hint
from fairvec.core.settings import Share
from fairvec.embedding import Embedding
from fairvec.geometry import Geometry
from fairvec.lexicon import Concept
from fairvec.mitigation.transform import Transform

DIRECTION_REMOVED = "direction-removed"
"""A moved word has no component in the removed subspace."""
PAIRS_EQUIDISTANT = "pairs-equidistant"
"""A moved word is as far from one word of every equality pair as from the other."""
KEPT_UNTOUCHED = "kept-directions-untouched"
"""The component of every word along each direction to keep is what it was."""
IDEMPOTENT = "idempotent"
"""Transforming twice is transforming once."""
NORM_KEPT = "norm-kept"
"""Every word keeps its length; in the ball, its distance from the origin."""
NOT_READABLE = "not-linearly-readable"
"""No linear classifier tells the sides of the concept apart, on the words of the fit, better than
by guessing; in the ball, from their tangent vectors."""

GUARANTEES = (
    DIRECTION_REMOVED,
    PAIRS_EQUIDISTANT,
    KEPT_UNTOUCHED,
    IDEMPOTENT,
    NORM_KEPT,
    NOT_READABLE,
)

Strength = Annotated[Share, Field(description="From 0 (no change) to 1 (the full method).")]
Moves = Annotated[
    Literal["all", "neutral"],
    Field(description="Whether all words move, or only those that do not mean the concept."),
]
Lengths = Annotated[
    Literal["free", "kept", "unit"],
    Field(description="Words may shrink, keep their length, or are brought to length one."),
]


class Debiaser(Protocol):
    """A debiasing method with its settings; the constructor checks and stores them.

    Every method is a frozen dataclass without fitted state: `fit` returns a complete transform.
    fairvec's own are subclasses; one of another package has a name, a strength and `fit`.
    """

    name: ClassVar[str]

    @property
    @abstractmethod
    def strength(self) -> float:
        """How much is taken out: 0 is nothing, 1 is all."""

    @abstractmethod
    def fit(self, embedding: Embedding, concept: Concept) -> Transform:
        """Return the transform that takes the concept out of embeddings of this space."""


def describe_fit(method: Debiaser, embedding: Embedding, concept: Concept) -> dict[str, Any]:
    """Return what a transform says of its fit: method, settings, concept and space."""
    configured: Any = method
    settings = asdict(configured)
    return {
        "method": method.name,
        "settings": {  # as a file gives them back
            name: [*value] if isinstance(value, tuple) else value
            for name, value in settings.items()
        },
        "concept": concept.name,
        "geometry": embedding.geometry,
    }


def check_lengths(lengths: str, geometry: Geometry) -> None:
    """Raise unless words can be brought to these lengths in a space."""
    if lengths == "unit" and geometry.curvature:
        raise SettingError(
            "Unit lengths would put every word of the ball at one distance from the origin; use "
            f"{method_setting_hint('lengths', 'kept')}."
        )


def guarantees_at(*names: str, strength: float, lengths: str = "free") -> frozenset[str]:
    """Return the guarantees of a projection at a strength; `names` hold at full strength only."""
    found = set(names) | {IDEMPOTENT} if strength == 1 else set()
    if lengths == "kept":
        found.add(NORM_KEPT)
    return frozenset(found)
