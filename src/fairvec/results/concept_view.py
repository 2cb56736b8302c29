"""A concept seen in one embedding: what its pairs share, and where words stand towards it."""

from typing import Literal

from pydantic import Field

from fairvec.ground.numbers import counted, percent
from fairvec.results.identities import ModelIdentity
from fairvec.results.lines import asked_line, models_said
from fairvec.results.record import Count, Record
from fairvec.results.records import Asked

PlacedKind = Literal["listed", "learnt", "neutral"]


class Component(Record):
    """One principal component of the differences of pairs, each brought to length one."""

    share: float = Field(description="Its share of the sum of squares")
    by_chance: float = Field(description="The mean share over draws of random pairs of words")
    by_chance_high: float = Field(description="97.5 % quantile of the share over these draws")


class PlacedWord(Record):
    """One word on two axes: along a pair of the concept, and away from its specific words."""

    word: str = Field(description="As listed")
    key: str = Field(description="As found in the embedding")
    kind: PlacedKind = Field(
        description="Specific because listed, specific by the plane alone (learnt), or neutral"
    )
    x: float = Field(description="Cosine with the direction of the pair: positive, to its first")
    y: float = Field(description="Distance from the plane: positive neutral, negative specific")
    x_after: float | None = Field(
        default=None, description="x after the change, along the direction from before it"
    )
    transliteration: str = Field(default="", description="The word in Latin letters")
    gloss: str = Field(default="", description="The word in English")


class ConceptView(Asked):
    """A concept in an embedding as two figures; `model` is the one before a change."""

    status: Literal["viewed"] = Field(default="viewed", description="Always viewed")
    concept: str = Field(description="The concept with its variant, e.g. hi/gender:pairs")
    after: ModelIdentity | None = Field(description="The embedding after a change; null if none")
    pairs: tuple[tuple[str, str], ...] = Field(description="Keys of the pairs that were compared")
    draws: Count = Field(description="How often as many random pairs of words were drawn")
    components: tuple[Component, ...] = Field(description="The largest first, ten at most")
    axis: tuple[str, str] = Field(description="The pair along which x is measured")
    plane: str = Field(description="The plane from which y is measured")
    recognised: tuple[int, int] = Field(
        description="Specific words that taught the plane and lie on their side, and all of them"
    )
    words: tuple[PlacedWord, ...] = Field(description="Some words on the two axes")

    def __str__(self) -> str:
        """Return the record as one readable line."""
        models = models_said(self.model, self.after) if self.after else self.model.name
        share = percent(round(self.components[0].share, 2)) if self.components else ""
        first = f"the first direction holds {share}" if share else ""
        said = (f"{counted(len(self.pairs), 'pair')} compared", first)
        return asked_line(self.test, models, self.metric, said)
