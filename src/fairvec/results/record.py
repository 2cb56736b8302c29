"""What all records are."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

SCHEMA_VERSION = 2
"""Raised when a field is added or means something else; records of every earlier one are read."""

SchemaVersion = Annotated[int, Field(ge=1, le=SCHEMA_VERSION)]


class Record(BaseModel):
    """A frozen record; unknown fields are refused, nan and infinity are never written."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
