"""What can be asked about a change: a concept, a method with settings, tests to judge by."""

from typing import Annotated, Literal

from pydantic import Field, StrictBool, StrictInt, StringConstraints

from fairvec.lexicon.suite_lists.suite import TestKind
from fairvec.web.questions import Typed, TypedList, WireQuestion

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
