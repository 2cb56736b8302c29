"""What the header of a transform's file says: every field is checked before a word is moved."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, NonNegativeFloat, ValidationError, field_validator

from fairvec.ground.settings import Range
from fairvec.ground.text.json_text import json_of
from fairvec.ground.text.shown_values import shown

STRENGTH = "strength"


class TransformHeader(BaseModel):
    """The fields of a transform beside its arrays; what is missing, unknown or wrong is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    method: str
    settings: dict[str, Any]
    concept: str
    fitted_on: tuple[str, ...]
    guarantees: tuple[str, ...]
    geometry: str
    curvature: NonNegativeFloat
    move: str
    lengths: Literal["free", "kept", "unit"]
    unmoved: tuple[str, ...]
    placed: tuple[str, ...]
    remarks: dict[str, list[str]]

    @property
    def strength(self) -> float:
        """The share of the way that words go."""
        return float(self.settings[STRENGTH])

    @field_validator("settings")
    @classmethod
    def _strength(cls, settings: dict[str, Any]) -> dict[str, Any]:
        strength: Any = settings.get(STRENGTH)
        number = isinstance(strength, int | float) and not isinstance(strength, bool)
        if not number or strength not in Range(0, 1):
            raise ValueError(f"the strength is {shown(strength)} and must {Range(0, 1)}")
        return settings

    @field_validator("placed")
    @classmethod
    def _once(cls, placed: tuple[str, ...]) -> tuple[str, ...]:
        if len({*placed}) < len(placed):
            raise ValueError("a key has two places")
        return placed


def described(metadata: Mapping[str, str]) -> TransformHeader:
    """Return what the metadata of a file say of a transform; ValueError names the first fault."""
    try:
        said = {name: json_of(text) for name, text in metadata.items() if name != MARK}
        return TransformHeader.model_validate(said)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise ValueError(
            f"{_place(first['loc'])}: {first['msg'].removeprefix('Value error, ')}"
        ) from None


def _place(location: tuple[int | str, ...]) -> str:
    return ".".join(shown(part)[1:-1] if isinstance(part, str) else str(part) for part in location)


MARK = "fairvec-transform"
"""The field that says: this is a transform, and of which version."""
