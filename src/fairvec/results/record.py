"""What all records are."""

from pydantic import BaseModel, ConfigDict

SCHEMA_VERSION = 2
"""Raised when a field is added or means something else; records of every earlier one are read."""


class Record(BaseModel):
    """A frozen record; unknown fields are refused, nan and infinity are never written."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
