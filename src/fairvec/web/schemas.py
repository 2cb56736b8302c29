"""The questions of the interface: each with its address, its function and its validated request."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool, StrictInt, StringConstraints

from fairvec.core.validation import FrozenModel
from fairvec.experiments.projections.layouts import Scale
from fairvec.lexicon.suites import TestKind

MOST_WORDS = 500
"""Of one list: the page answers while one types; longer lists are for the command line."""
MOST_TESTS = 24
MOST_SETTINGS = 20
MOST_PLOTTED = 20_000
"""Most words of a map: a page redraws so many within two frames."""
LONGEST_TEXT = 200

UserText = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_TEXT)]
UserWords = Annotated[list[UserText], Field(max_length=MOST_WORDS)]
Title = Annotated[str, StringConstraints(max_length=200)]
ShortText = Annotated[str, StringConstraints(max_length=60)]
ListRole = Literal["x", "y", "a", "b"]
Number = Annotated[float, Field(allow_inf_nan=False, strict=True)]
SettingValue = (
    StrictBool
    | StrictInt
    | Number
    | UserText
    | Annotated[list[StrictInt | Number | UserText], Field(max_length=MOST_SETTINGS)]
)
Strength = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False, strict=True)]
First = Annotated[int, Field(ge=0, le=MOST_PLOTTED)]
FileName = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,79}(\.[a-z0-9]{1,12}){1,2}$")
]


class RequestModel(FrozenModel):
    """The base of all requests."""


@dataclass(frozen=True)
class Question:
    """The path of a question under /api/, the function that answers it, and what it means.

    With `request` the function is called with the open models and the request, without one with
    the models alone. `example` is a request that works with glove-en-small, which is shipped.
    `record_fields` names the fields of the answer that hold records of the results' schema.
    """

    path: str
    answer: Callable[..., Mapping[str, Any]]
    summary: str
    request: type[RequestModel] | None = None
    method: Literal["GET", "POST"] = "GET"
    example: Mapping[str, Any] = field(default_factory=dict)
    record_fields: tuple[str, ...] = ()

    @property
    def address(self) -> str:
        """The path as a client requests it."""
        return f"/api/{self.path}"


class ModelRequest(RequestModel):
    """A question about one model."""

    model: UserText


class RunRequest(RequestModel):
    """A run, by the name that /api/results gives it."""

    name: UserText


class CompletionRequest(ModelRequest):
    """The beginning of a word, and the model that may know it."""

    beginning: Title
    most: Annotated[int, Field(ge=1, le=50)] = 12


class SpellingRequest(ModelRequest):
    """A word as it was typed."""

    word: UserText


class NeighboursRequest(ModelRequest):
    """The nearest words of one."""

    word: UserText
    count: Annotated[int, Field(ge=1, le=100)] = 12


class ListsRequest(ModelRequest):
    """Four lists of words, of one model: do x and y lean to a and b?"""

    x: UserWords
    y: UserWords
    a: UserWords
    b: UserWords
    titles: dict[ListRole, UserText] = Field(default_factory=dict)
    title: Title = ""
    category: ShortText = ""
    kind: TestKind = "bias"
    sources: dict[ListRole, UserText] = Field(
        default_factory=dict,
        description="By role the shipped test whose list this one began as: its words keep their "
        "variants, and its concept says which other lists may take its place.",
    )
    stage: Literal["quick", "full"] = Field(
        default="full",
        description="quick: of lists whose p takes long, what is known at once, without p.",
    )
    page: ShortText = Field(
        default="", description="Who asks: of the long questions of one page the last is answered."
    )


class OwnAxis(RequestModel):
    """An axis from list b to list a."""

    a: UserWords
    b: UserWords
    title: Title = ""


AxisRequest = UserText | OwnAxis


class MapRequest(ModelRequest):
    """The first words of a model and more by name, laid out; `shade` is what they are coloured by.

    The layout axes needs two; a disc may have two for its plane, and is of one ball.
    """

    layout: Literal["axes", "components", "disc"] = "axes"
    axes: Annotated[list[AxisRequest], Field(max_length=2)] = Field(default_factory=list)
    shade: AxisRequest | None = None
    first: First = 3_000
    words: UserWords = Field(default_factory=list)
    ball: Annotated[int, Field(ge=1)] | None = None


class ScoresRequest(ModelRequest):
    """The first words of a model and more by name, over some axes, on a scale."""

    axes: Annotated[list[AxisRequest], Field(min_length=1, max_length=12)]
    first: First = 3_000
    words: UserWords = Field(default_factory=list)
    scale: Scale = "z"


class TestsRequest(RequestModel):
    """Tests that come with fairvec, by their ids, or four lists of one's own."""

    __test__ = False  # pytest: this is not a test class

    tests: Annotated[list[UserText], Field(max_length=MOST_TESTS)] = Field(default_factory=list)
    lists: dict[ListRole, UserWords] = Field(default_factory=dict)
    sources: dict[ListRole, UserText] = Field(
        default_factory=dict,
        description="Of lists, by role the shipped test that each began as, as in /api/ask.",
    )
    kind: TestKind = "bias"


class ChangeRequest(TestsRequest):
    """A concept taken out of a model by a method at a strength.

    With `holdout` the method is fitted without any word of the tests.
    """

    model: UserText
    concept: UserText
    method: UserText
    settings: Annotated[dict[UserText, SettingValue], Field(max_length=MOST_SETTINGS)] = Field(
        default_factory=dict
    )
    strength: Strength = 1.0
    holdout: bool = False
    stage: Literal["quick", "full"] = Field(
        default="full",
        description="quick: the records after alone, without intervals and without what became of "
        "each test.",
    )


class ChangeMapRequest(ChangeRequest):
    """Words before and after a change, between the targets of one of its tests, else the first."""

    about: Title = ""


class ChangeNeighboursRequest(ChangeRequest):
    """The nearest words of one before and after a change."""

    word: UserText
    count: Annotated[int, Field(ge=1, le=50)] = 10


class WriteRequest(ChangeRequest):
    """A change that is to be written into the folder which the server was given."""

    file: FileName


class ComparisonRequest(TestsRequest):
    """Two models, the first before the second, and what both are asked."""

    models: Annotated[list[UserText], Field(min_length=2, max_length=2)]


class CommonTestsRequest(ModelRequest):
    """What two models can both be asked."""

    other: UserText
