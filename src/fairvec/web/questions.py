"""What can be asked, as it comes over the wire: unknown fields and endless lists are refused."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from fairvec.lexicon.suite_lists.suite import TestKind

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
