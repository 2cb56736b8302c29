"""Russian morphology by the dictionary of pymorphy3.

Korobov (2015): Morphological Analyzer and Generator for Russian and Ukrainian Languages. Tags are
those of OpenCorpora: masc, femn, neut; sing, plur; nomn, gent, datv, accs, ablt, loct.
"""

from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol

from fairvec.core.errors import MissingExtraError

_CASES = {"gen1": "gent", "gen2": "gent", "acc2": "accs", "loc1": "loct", "loc2": "loct"}
OTHER_GENDER = {"masc": "femn", "femn": "masc"}


@dataclass(frozen=True)
class WordForm:
    """One reading of a word: its lemma, what it is in the sentence, and how likely it is so."""

    lemma: str
    pos: str
    case: str
    number: str
    gender: str
    tags: frozenset[str]
    score: float
    known: bool
    parse: Any = field(compare=False, repr=False)

    def changed(self, *grammemes: str) -> str:
        """Return the same word with other grammemes; empty if it has no such form."""
        parse = self.parse.inflect(set(grammemes))
        return "" if parse is None else str(parse.word)

    def lexeme(self) -> tuple[str, ...]:
        """Return all forms of the same word."""
        return tuple(str(parse.word) for parse in self.parse.lexeme)


class _Analyzer(Protocol):
    def parse(self, word: str) -> list[Any]: ...


@cache
def _analyzer() -> _Analyzer:
    try:
        import pymorphy3
    except ImportError:
        raise MissingExtraError("Rewriting Russian", "russian") from None
    analyzer: _Analyzer = pymorphy3.MorphAnalyzer()
    return analyzer


# A document repeats its words; the bound keeps one of megabytes from filling the memory.
_MOST_CACHED = 10_000
_cache: dict[str, tuple[WordForm, ...]] = {}


def forms_of(word: str) -> tuple[WordForm, ...]:
    """Return every reading of a lower-case word, the likeliest first, at least one.

    A vocative (мам, господи) counts only if there is no other reading.
    """
    if word not in _cache:
        if len(_cache) >= _MOST_CACHED:
            _cache.clear()
        readings = tuple(_form(parse) for parse in _analyzer().parse(word))
        _cache[word] = tuple(form for form in readings if form.case != "voct") or readings
    return _cache[word]


def _form(parse: Any) -> WordForm:
    tag = parse.tag
    case = str(tag.case or "")
    return WordForm(
        lemma=str(parse.normal_form),
        pos=str(tag.POS or ""),
        case=_CASES.get(case, case),
        number=str(tag.number or ""),
        gender="" if "ms-f" in tag.grammemes else str(tag.gender or ""),
        tags=frozenset(map(str, tag.grammemes)),
        score=float(parse.score),
        known=bool(parse.is_known),
        parse=parse,
    )


@cache
def noun_form(lemma: str, case: str, number: str) -> str:
    """Return a noun in a case and number; empty if the dictionary has no such noun."""
    for form in forms_of(lemma):
        personal_name = form.tags & {"Name", "Surn", "Patr"}
        if form.known and form.lemma == lemma and form.pos == "NOUN" and not personal_name:
            return form.changed(case, number)
    return ""


def gender_of(lemma: str) -> str:
    """Return the gender of a noun of the dictionary; empty if it has none."""
    for form in forms_of(lemma):
        if form.lemma == lemma and form.pos == "NOUN":
            return form.gender
    return ""
