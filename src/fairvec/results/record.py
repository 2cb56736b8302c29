"""What all records are."""

from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from fairvec.ground.errors import SettingError
from fairvec.ground.text.shown_values import shown

SCHEMA_VERSION = 2
"""Raised when a field is added or means something else; records of every earlier one are read."""

SchemaVersion = Annotated[int, Field(ge=1, le=SCHEMA_VERSION)]
Share = Annotated[float, Field(ge=0, le=1)]
"""A share or a probability: a file in which p is 17 holds no p."""
Count = Annotated[int, Field(ge=0)]
"""How many there are."""


class Record(BaseModel):
    """A frozen record; unknown fields are refused, nan and infinity are never written."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


def records_in(given: Any, refusal: str) -> list[Any]:
    """Return records that may come of a generator, or one that comes alone; refuse all else.

    `refusal` begins the sentence that ends in what is none: "Written are records, not".
    """
    alone = isinstance(given, str | Record) or not isinstance(given, Iterable)
    found: list[Any] = [given] if alone else [*given]
    for one in found:
        if not isinstance(one, Record):
            raise SettingError(
                f"{refusal} {shown(one)}; give a list of them, as audit and read_results return it."
            )
    return found
