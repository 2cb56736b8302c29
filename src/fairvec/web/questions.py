"""What can be asked, as it comes over the wire: unknown fields and endless lists are refused."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

MOST_WORDS = 500
"""In one list: the page answers as one types, and longer lists are for the command line."""

Typed = Annotated[str, StringConstraints(min_length=1, max_length=200)]
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
    titles: dict[Typed, Typed] = Field(default_factory=dict)
    title: Annotated[str, StringConstraints(max_length=200)] = ""
    category: Annotated[str, StringConstraints(max_length=60)] = ""


class AskedNeighbours(WireQuestion):
    """The nearest words of one."""

    model: Typed
    word: Typed
    count: Annotated[int, Field(ge=1, le=100)] = 12
