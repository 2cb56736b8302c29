"""Russian lemmas and their parts of speech, by the dictionary of pymorphy3."""

from collections.abc import Callable
from typing import Any

UPOS_OF = {
    "NOUN": "NOUN", "ADJF": "ADJ", "ADJS": "ADJ", "COMP": "ADJ", "VERB": "VERB", "INFN": "VERB",
    "PRTF": "VERB", "PRTS": "VERB", "GRND": "VERB", "NUMR": "NUM", "ADVB": "ADV", "NPRO": "PRON",
    "PRED": "ADV", "PREP": "ADP", "CONJ": "CCONJ", "PRCL": "PART", "INTJ": "INTJ",
}  # fmt: skip
"""The universal part of speech of each of OpenCorpora's."""


def lemma_finder(*, tagged: bool) -> Callable[[str], str]:
    """Return what finds the lemma of a form, by its commonest reading; with its tag if wanted."""
    from pymorphy3 import MorphAnalyzer

    analyse = MorphAnalyzer(lang="ru").parse

    def lemma(form: str) -> str:
        parse = analyse(form)[0]
        return f"{parse.normal_form}_{_upos(parse.tag)}" if tagged else str(parse.normal_form)

    return lemma


def _upos(tag: Any) -> str:
    if "Name" in tag or "Surn" in tag or "Patr" in tag or "Geox" in tag:
        return "PROPN"
    if "NUMB" in tag:
        return "NUM"
    return UPOS_OF.get(tag.POS, "X")
