"""Where nouns stand between masculine and feminine forms."""

from typing import Literal

from pydantic import Field

from fairvec.results.certainty import PValue
from fairvec.results.identities import ModelIdentity
from fairvec.results.record import Record

NounKind = Literal["varying", "masculine", "feminine"]


class NounPlace(Record):
    """One noun, and how it leans."""

    word: str = Field(description="The noun as listed")
    kind: NounKind = Field(description="Its gender in the list")
    leaning: float = Field(
        description="Mean similarity to masculine forms minus that to feminine ones, less that of "
        "the middle: positive leans to masculine"
    )
    transliteration: str = Field(default="", description="In Latin letters")
    gloss: str = Field(default="", description="In English")


class NounGenders(Record):
    """Whether nouns whose gender varies stand nearer to the middle than certain ones."""

    model: ModelIdentity = Field(description="The embedding")
    language: str = Field(description="ISO 639-1 code of the nouns")
    lists: str = Field(description="Version of the lists")
    similarity: str = Field(description="How two points are compared")
    nouns: tuple[NounPlace, ...] = Field(description="Every noun that was found")
    missing: tuple[str, ...] = Field(description="Nouns that were not")
    told_right: float = Field(
        description="Share of the certain nouns on the right side of a middle found without them; "
        "a half is a guess, and then nothing else here means anything"
    )
    varying_away: float = Field(description="Mean distance of varying nouns from the middle")
    certain_away: float = Field(description="The same of certain ones")
    p: PValue = Field(description="How often regrouping the nouns makes as large a difference")
    sentence: str = Field(description="The answer in one sentence")
    versions: dict[str, str] = Field(description="Versions of fairvec, Python, numpy and scipy")
