"""The words from which a direction is taken, and what they must be."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Self, TypeVar, get_args

from pydantic import AfterValidator, BeforeValidator, model_validator

from fairvec.languages.spelling import PartOfSpeech, plain
from fairvec.lexicon.words import Frozen, Word

Words = TypeVar("Words", bound=tuple[Word, ...])


def _check_count(words: Any, *, pair: bool) -> Any:
    """Refuse what is no list of two words, or of two and more."""
    what = "a pair has two" if pair else "a set has two or more"
    if isinstance(words, str | dict):
        raise ValueError(f'must be a list of words, as in ["he", "she"]: {what}')
    if isinstance(words, list) and (len(words) < 2 or (pair and len(words) > 2)):
        raise ValueError(f"has {len(words)} word{'s' * (len(words) != 1)}, and {what}")
    return words


def _check_different(words: Words) -> Words:
    seen: set[str] = set()
    for word in words:
        spellings = {plain(spelling) for spelling in word.spellings}
        if seen & spellings:
            raise ValueError(f"has {word.word!r} twice, and its words must differ")
        seen |= spellings
    return words


Pair = Annotated[
    tuple[Word, Word],
    BeforeValidator(partial(_check_count, pair=True)),
    AfterValidator(_check_different),
]
WordsOfASet = Annotated[
    tuple[Word, ...],
    BeforeValidator(partial(_check_count, pair=False)),
    AfterValidator(_check_different),
]


class Definition(Frozen):
    """The words from which a direction is taken: aligned pairs, aligned sets, or one list.

    The words of a pair differ in nothing but the concept, as he and she do, and so do those of a
    set, as church, mosque and synagogue; a word may be in several sets. `pos` is the words' default
    part of speech.
    """

    title: str = ""
    pos: PartOfSpeech | None = None
    pairs: tuple[Pair, ...] = ()
    sets: tuple[WordsOfASet, ...] = ()
    words: tuple[Word, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _inherit_pos(cls, entry: Any) -> Any:
        # A part of speech that there is not is refused once, and not in every word.
        if not isinstance(entry, dict) or entry.get("pos") not in get_args(PartOfSpeech):
            return entry
        return {**entry, **_with_pos(entry, entry["pos"])}

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if sum(map(bool, (self.pairs, self.sets, self.words))) != 1:
            raise ValueError("needs either pairs, sets or words")
        return self

    @property
    def entries(self) -> tuple[Word, ...]:
        """All words, pair after pair or set after set, each once."""
        aligned: tuple[tuple[Word, ...], ...] = self.pairs or self.sets
        return self.words or tuple(dict.fromkeys(word for each in aligned for word in each))

    def only(self, wanted: Callable[[Word], bool]) -> "Definition | None":
        """Return the definition with the wanted words and whole sets; None if none is left."""
        left = {
            "pairs": tuple(pair for pair in self.pairs if all(map(wanted, pair))),
            "sets": tuple(each for each in self.sets if all(map(wanted, each))),
            "words": tuple(word for word in self.words if wanted(word)),
        }
        return self.model_copy(update=left) if any(left.values()) else None


def _with_pos(entry: dict[str, Any], pos: Any) -> dict[str, Any]:
    def one(word: Any) -> Any:
        if isinstance(word, str):
            return {"word": word, "pos": pos}
        return {"pos": pos, **word} if isinstance(word, dict) else word

    def each(words: Any) -> Any:
        return [one(word) for word in words] if isinstance(words, list) else words

    filled: dict[str, Any] = {}
    for kind in ("pairs", "sets"):
        if isinstance(aligned := entry.get(kind), list):
            filled[kind] = [each(words) for words in aligned]
    if "words" in entry:
        filled["words"] = each(entry["words"])
    return filled
