"""The forms of Hindi words that tell a gender: nouns, verbs, and what agrees with a noun."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from fairvec.languages.hindi import RULES
from fairvec.languages.spelling import folded
from fairvec.lexicon.rewrites import GenderedTerm, rewrite_table

Gender = Literal["m", "f"]
DIRECT, OBLIQUE, DIRECT_PLURAL, OBLIQUE_PLURAL, VOCATIVE_PLURAL = range(5)

# गयी and गई, गये and गए, आयेगा and आएगा are spellings of one form.
_VOWEL = {"ी": "ई", "े": "ए"}


@lru_cache(maxsize=1 << 16)
def key(word: str) -> str:
    """Return the one form under which all spellings of a word are found."""
    return folded(word, RULES)


def verb_key(word: str) -> str:
    """Return the key of a verb's form, with or without the glide (गयी, गई)."""
    return re.sub("य([ीे])", lambda found: _VOWEL[found.group(1)], key(word))


@dataclass(frozen=True)
class HindiNounForm:
    """A form of a gendered noun: its term, its side there, and which of its forms it can be."""

    term: GenderedTerm
    lemma: str
    gender: Gender
    cells: frozenset[int]

    @property
    def counterpart(self) -> str:
        """The lemma of the other gender; empty if there is no certain one."""
        return self.term.b if self.gender == "m" else self.term.a


@cache
def listed(name: str) -> frozenset[str]:
    """Return the keys of a list of the table."""
    return frozenset(key(word) for word in rewrite_table("hi").lists[name])


def forms_of(lemma: str) -> tuple[str, ...]:
    """Return the five forms of a noun."""
    return tuple(rewrite_table("hi").tables["forms"][lemma].split(" / "))


@cache
def nouns() -> dict[str, HindiNounForm]:
    """Return the gendered nouns by the keys of their forms; a form of two words has a space."""
    found: dict[str, HindiNounForm] = {}
    for term in rewrite_table("hi").terms:
        sides: tuple[tuple[str, Gender], ...] = ((term.a, "m"), (term.b, "f"))
        for lemma, gender in sides:
            forms = [key(form) for form in forms_of(lemma)] if lemma else []
            for form in forms:
                cells = frozenset(n for n, other in enumerate(forms) if other == form)
                found[form] = HindiNounForm(term, lemma, gender, cells)
    return found


@cache
def agreeing() -> dict[str, tuple[str, str]]:
    """Return by key what agrees with a noun after it: its masculine singular, and its ending."""
    return {
        key(form): (word, ending)
        for word in rewrite_table("hi").lists["agreeing"]
        for ending in "ाेी"
        for form in _spellings(word, ending)
    }


def agreed(word: str, ending: str) -> str:
    """Return a word that agrees (अच्छा) with the ending ा, े or ी."""
    return _spellings(word, ending)[0]


def _spellings(word: str, ending: str) -> tuple[str, ...]:
    stem = word.removesuffix("ा")
    if stem.endswith("य") and ending != "ा":
        return (stem[:-1] + _VOWEL[ending], stem + ending)
    return (stem + ending,)
