"""Hindi morphology: forms of gendered nouns, of adjectives, and of verbs that agree."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Literal

from fairvec.languages.hi.spelling import RULES
from fairvec.languages.rewriting import GenderedTerm, rewrite_table
from fairvec.languages.spelling import Spelling

Gender = Literal["m", "f"]
_SPELLING = Spelling(RULES)

DIRECT, OBLIQUE, DIRECT_PLURAL, OBLIQUE_PLURAL, VOCATIVE_PLURAL = range(5)

# गयी and गई, गये and गए, आयेगा and आएगा are spellings of one form.
_VOWEL = {"ी": "ई", "े": "ए"}


@lru_cache(maxsize=1 << 16)
def fold(word: str) -> str:
    """Return the one form under which all spellings of a word are found."""
    return _SPELLING.fold(word)


def verb_key(word: str) -> str:
    """Return the key of a verb's form, with or without the glide (गयी, गई)."""
    return re.sub("य([ीे])", lambda match: _VOWEL[match.group(1)], fold(word))


@dataclass(frozen=True)
class NounForm:
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
    return frozenset(fold(word) for word in rewrite_table("hi").lists[name])


def forms_of(lemma: str) -> tuple[str, ...]:
    """Return the five forms of a noun."""
    return tuple(rewrite_table("hi").tables["forms"][lemma].split(" / "))


@cache
def nouns() -> dict[str, NounForm]:
    """Return the gendered nouns by the keys of their forms; a form of two words has a space."""
    forms_by_key: dict[str, NounForm] = {}
    for term in rewrite_table("hi").terms:
        sides: tuple[tuple[str, Gender], ...] = ((term.a, "m"), (term.b, "f"))
        for lemma, gender in sides:
            forms = [fold(form) for form in forms_of(lemma)] if lemma else []
            for form in forms:
                cells = frozenset(n for n, other in enumerate(forms) if other == form)
                forms_by_key[form] = NounForm(term, lemma, gender, cells)
    return forms_by_key


@cache
def agreeing() -> dict[str, tuple[str, str]]:
    """Return by key what agrees with a noun after it: its masculine singular, and its ending."""
    return {
        fold(form): (word, ending)
        for word in rewrite_table("hi").lists["agreeing"]
        for ending in "ाेी"
        for form in _spellings(word, ending)
    }


def inflect_adjective(word: str, ending: str) -> str:
    """Return a word that agrees (अच्छा) with the ending ा, े or ी."""
    return _spellings(word, ending)[0]


def _spellings(word: str, ending: str) -> tuple[str, ...]:
    stem = word.removesuffix("ा")
    if stem.endswith("य") and ending != "ा":
        return (stem[:-1] + _VOWEL[ending], stem + ending)
    return (stem + ending,)


FourForms = tuple[str, str, str, str]
"""Masculine singular and plural, feminine singular and plural."""

_ENDS_LONG = ("ा", "ो", "ू", "आ")


@dataclass(frozen=True)
class VerbGroup:
    """The verbs at the end of a clause: where they start, and which of them agree."""

    start: int
    agreeing: tuple[int, ...]
    forms: tuple[FourForms, ...]
    """Of each that agrees."""
    numbered: int
    """The last that tells a number; what agrees before it has no feminine plural of its own."""
    be: str
    """The form of है at its end; empty if there is none."""
    only_being: bool
    """Whether it says only that something is, becomes or seems."""

    def shifted(self, by: int) -> "VerbGroup":
        """Return it where words are counted from another one."""
        agreeing = tuple(at + by for at in self.agreeing)
        return replace(self, start=self.start + by, agreeing=agreeing, numbered=self.numbered + by)

    def inflected(self, gender: Gender, *, many: bool) -> tuple[str, ...]:
        """Return what agrees, of a gender and number: बैठी हुई थीं, but बैठे हुए थे."""
        return tuple(
            forms[(2 if gender == "f" else 0) + (many and (gender == "m" or at == self.numbered))]
            for at, forms in zip(self.agreeing, self.forms, strict=True)
        )


@cache
def verb_forms() -> dict[str, FourForms]:
    """Return by key every form of a verb that agrees with its subject.

    Perfectives are among them only of verbs whose subject never takes ने: with it they agree with
    the object.
    """
    lists = rewrite_table("hi").lists
    rows: list[FourForms] = [("था", "थे", "थी", "थीं")]
    for stem in (*lists["verbs_without_ne"], *lists["verbs_with_ne"]):
        rows += [(f"{stem}ता", f"{stem}ते", f"{stem}ती", f"{stem}तीं"), _future(stem)]
    rows += [_perfective(stem) for stem in lists["verbs_without_ne"]]
    return {verb_key(form): row for row in rows for form in row}


def _future(stem: str) -> FourForms:
    if stem in ("हो", "दे", "ले"):
        many = {"हो": "हों", "दे": "दें", "ले": "लें"}[stem]
        return (f"{stem}गा", f"{many}गे", f"{stem}गी", f"{many}गी")
    if stem.endswith("ी"):
        stem = stem[:-1] + "ि"
    if stem.endswith((*_ENDS_LONG, "ि")):
        return (f"{stem}एगा", f"{stem}एँगे", f"{stem}एगी", f"{stem}एँगी")
    return (f"{stem}ेगा", f"{stem}ेंगे", f"{stem}ेगी", f"{stem}ेंगी")


def _perfective(stem: str) -> FourForms:
    if stem == "हो":
        return ("हुआ", "हुए", "हुई", "हुईं")
    base = "ग" if stem == "जा" else stem
    if stem.endswith(_ENDS_LONG):
        return (f"{base}या", f"{base}ए", f"{base}ई", f"{base}ईं")
    return (f"{base}ा", f"{base}े", f"{base}ी", f"{base}ीं")


@cache
def bare_verbs() -> frozenset[str]:
    """Return stems and infinitives before another verb: they do not agree."""
    lists = rewrite_table("hi").lists
    stems = (*lists["verbs_without_ne"], *lists["verbs_with_ne"])
    return frozenset(fold(stem + end) for stem in stems for end in ("", "ने", "कर"))


def is_finite(word: str) -> bool:
    """Whether a word ends a clause wherever it stands."""
    return word in {"है", "हैं", "हूं"} or verb_forms().get(word, ("",))[0] == "था"


def _is_stem(keys: Sequence[str], at: int) -> bool:
    """Tell बना in बना रहा है, a stem, from बना in बना है and चला in चला गया, which agree."""
    if keys[at] not in bare_verbs():
        return False
    after = [word for word in keys[at + 1 : at + 3] if word not in listed("negations")]
    if not after or is_finite(after[0]):
        return verb_key(keys[at]) not in verb_forms()
    following = verb_forms().get(verb_key(after[0]), ("",))[0]
    if following == "हुआ":
        return False
    return not (keys[at] == "चला" and following in ("गया", "जाता", "जाएगा", "आया", "आता"))


def verb_group(keys: Sequence[str], first: int) -> VerbGroup | None:
    """Return the verbs with which a sentence ends; None if it does not end with one that is known.

    They start at the word `first` or after it. What stands between them and cannot agree (नहीं,
    stems, infinitives in -ने) belongs to them.
    """
    last = len(keys) - 1
    be = keys[last] if keys[last] in ("है", "हैं") else ""
    agreeing_places: list[int] = []
    start = len(keys)
    while start > first:
        at = start - 1
        word = keys[at]
        if at == last and be:
            pass  # it belongs to the verbs, and does not agree in gender
        elif verb_key(word) in verb_forms() and not _is_stem(keys, at):
            agreeing_places.insert(0, at)
        elif word not in bare_verbs() and word not in listed("negations"):
            break
        start = at
    if start > last or (not be and last not in agreeing_places):
        return None
    forms = tuple(verb_forms()[verb_key(keys[at])] for at in agreeing_places)
    if any(row[0] in ("करता", "करेगा") for row in forms[1:]):
        # In आया करती है the first verb does not agree, though it looks as if it did.
        return None
    being = rewrite_table("hi").lists["being"]
    rest = [
        word
        for at, word in enumerate(keys[start:], start)
        if at not in agreeing_places and word != be
    ]
    return VerbGroup(
        start,
        tuple(agreeing_places),
        forms,
        last if not be and agreeing_places else -1,
        be,
        all(row[0] in being for row in forms) and all(word in listed("negations") for word in rest),
    )
