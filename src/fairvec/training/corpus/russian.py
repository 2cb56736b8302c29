"""Russian words by their lemma, with or without the part of speech: учительница_NOUN."""

from functools import lru_cache
from typing import Any

from fairvec.ground.errors import MissingExtraError
from fairvec.training.corpus.words import WordsOf, plain_words

UPOS_OF = {
    "NOUN": "NOUN", "ADJF": "ADJ", "ADJS": "ADJ", "COMP": "ADJ", "VERB": "VERB", "INFN": "VERB",
    "PRTF": "VERB", "PRTS": "VERB", "GRND": "VERB", "NUMR": "NUM", "ADVB": "ADV", "NPRO": "PRON",
    "PRED": "ADV", "PREP": "ADP", "CONJ": "CCONJ", "PRCL": "PART", "INTJ": "INTJ",
}  # fmt: skip
"""The universal part of speech of each of OpenCorpora's."""

REMEMBERED = 2**18
"""Word forms whose lemma is remembered: most of a text is made of fewer."""


def lemmas(*, tagged: bool) -> WordsOf:
    """Return what finds the lemmas of the words of a line, each with its part of speech if tagged.

    Form by form, by the commonest reading in pymorphy3's dictionary: no sentence is looked at.
    """
    try:
        from pymorphy3 import MorphAnalyzer
    except ImportError:
        raise MissingExtraError("Lemmatising Russian", "russian") from None
    analyse = MorphAnalyzer(lang="ru").parse
    find = plain_words()

    @lru_cache(REMEMBERED)
    def lemma(form: str) -> str:
        first = analyse(form)[0]
        return f"{first.normal_form}_{_upos(first.tag)}" if tagged else str(first.normal_form)

    return lambda line: [lemma(form) for form in find(line)]


def _upos(tag: Any) -> str:
    if "Name" in tag or "Surn" in tag or "Patr" in tag or "Geox" in tag:
        return "PROPN"
    if "NUMB" in tag:
        return "NUM"
    return UPOS_OF.get(tag.POS, "X")
