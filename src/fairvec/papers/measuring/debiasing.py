"""How a column of a table was debiased, as the data files say it."""

from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from fairvec.ground.errors import FairvecError
from fairvec.lexicon import concept
from fairvec.mitigation import debiaser

FitKind = Literal["default", "as-published"]
"""Whether a method has fairvec's settings or also the paper's own."""

Moved = Literal["all", "targets", "slots"]
"""Which vectors are debiased: all, those of X and Y, or those of the words put into sentences."""


class Debiasing(BaseModel):
    """A method with a concept and the settings that make the column.

    `as_published` are the paper's further settings, which fairvec's default does without.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    method: str
    concept: str
    settings: dict[str, Any] = Field(default_factory=dict)
    as_published: dict[str, Any] = Field(default_factory=dict)
    note: str = ""

    @model_validator(mode="after")
    def _check(self) -> Self:
        try:
            debiaser(self.method, **self.settings_of("as-published"))
            concept(self.concept)
        except FairvecError as error:
            raise ValueError(str(error).removesuffix(".")) from None
        return self

    def __hash__(self) -> int:
        return hash(self.model_dump_json())

    def settings_of(self, fit: FitKind) -> dict[str, Any]:
        """Return the settings under a convention, lists as tuples."""
        chosen = self.settings | (self.as_published if fit == "as-published" else {})
        return {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in chosen.items()
        }

    @property
    def said(self) -> str:
        """The column in one sentence, as in `Debiased by lpsg, concept hi/gender:pairs.`."""
        own = f", {_said(self.settings)}" if self.settings else ""
        theirs = f"; as published {_said(self.as_published)}" if self.as_published else ""
        return (
            f"Debiased by {self.method}, concept {self.concept}{own}{theirs}. {self.note}".strip()
        )


def _said(settings: dict[str, Any]) -> str:
    return ", ".join(
        f"{name} = {', '.join(value) if isinstance(value, list) else str(value).lower()}"
        for name, value in settings.items()
    )
