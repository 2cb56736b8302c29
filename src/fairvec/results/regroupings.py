"""In how many ways words can be regrouped: a count that outgrows every number of a file."""

from math import log10
from typing import Any

from pydantic import BaseModel, Field, model_validator

MOST_DIGITS = 300
"""A longer count is kept by its logarithm alone: floats end there, and many readers of JSON."""


class Regroupings(BaseModel):
    """How many regroupings there are, exactly while that can be written, and by its logarithm."""

    partitions: int | None = Field(
        description=f"Number of possible regroupings; null if it has over {MOST_DIGITS} digits"
    )
    log10_partitions: float = Field(
        default=0.0, description="Decimal logarithm of that number, always there"
    )

    @model_validator(mode="before")
    @classmethod
    def _count(cls, given: Any) -> Any:
        """Take the logarithm of a count, which files of old do not have, and long counts out."""
        if not isinstance(given, dict):
            given = {
                name: getattr(given, name) for name in cls.model_fields if hasattr(given, name)
            }
        count = given.get("partitions")
        if count is None and "log10_partitions" not in given:
            raise ValueError("needs partitions, or log10_partitions where there are too many")
        if not isinstance(count, int) or count < 1:
            return given
        kept = count if count < 10**MOST_DIGITS else None
        return {**given, "partitions": kept, "log10_partitions": log10(count)}
