"""What can be asked over the wire, and one question as a route."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StringConstraints

from fairvec.embedding import Embedding
from fairvec.experiments.projections.axes import MapAxis, axis_named, axis_of_own_lists
from fairvec.lexicon.suites import TestKind

MOST_WORDS = 500
"""In one list: the page answers as one types, and longer lists are for the command line."""

LONGEST_TYPED = 200
Typed = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_TYPED)]
RoleOfList = Literal["x", "y", "a", "b"]
TypedList = Annotated[list[Typed], Field(max_length=MOST_WORDS)]


class WireQuestion(BaseModel):
    """A question; what it does not know it refuses."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class AskedLists(WireQuestion):
    """Four lists of words, of one model: do x and y lean to a and b?"""

    model: Typed
    x: TypedList
    y: TypedList
    a: TypedList
    b: TypedList
    titles: dict[RoleOfList, Typed] = Field(default_factory=dict)
    title: Annotated[str, StringConstraints(max_length=200)] = ""
    category: Annotated[str, StringConstraints(max_length=60)] = ""
    kind: TestKind = "bias"
    sources: dict[RoleOfList, Typed] = Field(
        default_factory=dict,
        description="By role the shipped test whose list this one began as: its words keep their "
        "variants, and its concept says which other lists may take its place.",
    )
    stage: Literal["quick", "full"] = Field(
        default="full",
        description="quick: of lists whose p takes long, what is known at once, without p.",
    )
    page: Annotated[str, StringConstraints(max_length=60)] = Field(
        default="", description="Who asks: of the long questions of one page the last is answered."
    )


class AskedNeighbours(WireQuestion):
    """The nearest words of one."""

    model: Typed
    word: Typed
    count: Annotated[int, Field(ge=1, le=100)] = 12


@dataclass(frozen=True)
class AskedRoute:
    """A question's address under /api/, its kind, the function that answers it, and one line.

    With `question` the function is called with the open models and the question, without one with
    the models alone. `example` is a question that works with glove-en-small, which is shipped.
    `records` names the fields of the answer that hold records of the results' schema.
    """

    path: str
    answer: Callable[..., Mapping[str, Any]]
    meaning: str
    question: type[WireQuestion] | None = None
    method: Literal["GET", "POST"] = "GET"
    example: Mapping[str, Any] = field(default_factory=dict)
    records: tuple[str, ...] = ()

    @property
    def address(self) -> str:
        """The path as it is asked."""
        return f"/api/{self.path}"


MOST_TESTS = 24
MOST_SETTINGS = 20
AMONG = 50_000
"""Neighbours after a change are sought among so many of the first words: each has to be moved."""

ListRole = Literal["x", "y", "a", "b"]
Number = Annotated[float, Field(allow_inf_nan=False, strict=True)]
SettingValue = (
    StrictBool
    | StrictInt
    | Number
    | Typed
    | Annotated[list[StrictInt | Number | Typed], Field(max_length=MOST_SETTINGS)]
)
Strength = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False, strict=True)]


class AskedTests(WireQuestion):
    """Tests that come with fairvec, by their ids, or four lists of one's own."""

    tests: Annotated[list[Typed], Field(max_length=MOST_TESTS)] = Field(default_factory=list)
    lists: dict[ListRole, TypedList] = Field(default_factory=dict)
    sources: dict[ListRole, Typed] = Field(
        default_factory=dict,
        description="Of lists, by role the shipped test that each began as, as in /api/ask.",
    )
    kind: TestKind = "bias"


class AskedChange(AskedTests):
    """A concept taken out of a model by a method at a strength.

    With `holdout` the method is fitted without any word of the tests.
    """

    model: Typed
    concept: Typed
    method: Typed
    settings: Annotated[dict[Typed, SettingValue], Field(max_length=MOST_SETTINGS)] = Field(
        default_factory=dict
    )
    strength: Strength = 1.0
    holdout: bool = False
    stage: Literal["quick", "full"] = Field(
        default="full",
        description="quick: the records after alone, without intervals and without what became of "
        "each test.",
    )


class AskedMovedMap(AskedChange):
    """Words before and after a change, between the targets of one of its tests, else the first."""

    about: Annotated[str, StringConstraints(max_length=200)] = ""


class AskedMovedNeighbours(AskedChange):
    """The nearest words of one before and after a change."""

    word: Typed
    count: Annotated[int, Field(ge=1, le=50)] = 10


class AskedWriting(AskedChange):
    """A change that is to be written into the folder which the server was given."""

    file: Annotated[
        str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,79}(\.[a-z0-9]{1,12}){1,2}$")
    ]


class AskedConcepts(WireQuestion):
    """What can be taken out of a model."""

    model: Typed


class AskedPair(AskedTests):
    """Two models, the first before the second, and what both are asked."""

    models: Annotated[list[Typed], Field(min_length=2, max_length=2)]


class AskedForPair(WireQuestion):
    """What two models can both be asked."""

    model: Typed
    other: Typed


class AskedContrast(WireQuestion):
    """An axis from list b to list a."""

    a: TypedList
    b: TypedList
    title: Annotated[str, StringConstraints(max_length=200)] = ""


AskedAxis = Typed | AskedContrast


def axis_asked(asked: AskedAxis, embedding: Embedding) -> MapAxis:
    """Return the axis in a model."""
    if isinstance(asked, AskedContrast):
        return axis_of_own_lists(asked.a, asked.b, embedding, asked.title)
    return axis_named(asked, embedding)
