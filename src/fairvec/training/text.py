"""The text of a corpus: its files, its lines, and the words of a line."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from glob import glob, has_magic
from pathlib import Path
from typing import Any, Literal

from fairvec.core.errors import FileFormatError, MissingExtraError
from fairvec.core.io.read_files import is_folder, is_there
from fairvec.languages.text import token_pattern

ENDINGS = (".txt", ".gz", ".xz", ".bz2", ".zst")
"""What is taken of a folder; a file that is named may end otherwise."""


def files_of(named: Sequence[str | Path]) -> tuple[Path, ...]:
    """Return the files that are named, those in the folders that are, and those of patterns.

    Each once, by whatever names, in the order of names within a folder or a pattern, so that a
    corpus is the same on every machine.
    """
    found: dict[Path, Path] = {}
    for one in named:
        path = Path(one)
        if is_folder(path):
            some = sorted(file for file in path.rglob("*") if _is_text(file, path))
            lacking = f"the folder holds no text ({', '.join(ENDINGS)})"
        elif is_there(path) or not has_magic(str(one)):
            some = [path] if is_there(path) else []
            lacking = "there is no such file"
        else:
            some = sorted(Path(file) for file in glob(str(one), recursive=True))  # noqa: PTH207 - a pattern may begin at the root
            some = [file for file in some if file.is_file()]
            lacking = "no file matches"
        if not some:
            raise FileFormatError(f"{one}: {lacking}; name a file, a folder or a pattern.")
        for file in some:
            found.setdefault(file.resolve(), file)
    if not found:
        raise FileFormatError("No corpus is named; name a file, a folder or a pattern.")
    return tuple(found.values())


def _is_text(file: Path, folder: Path) -> bool:
    hidden = any(part.startswith(".") for part in file.relative_to(folder).parts)
    return file.is_file() and not hidden and file.suffix.lower() in ENDINGS


# The words of a line, as a model of a language shall know them.


Case = Literal["lower", "keep"]
WordsOf = Callable[[str], list[str]]
"""Gives the words of a line of text."""


def plain_words(case: Case = "lower") -> WordsOf:
    """Return what finds words as they stand: letters, their marks and digits, joined by - and '.

    The line is in NFC without joiners, as `read_lines` gives it; Devanagari keeps its vowel signs.
    """
    find = token_pattern().findall
    if case == "keep":
        return find
    return lambda line: find(line.lower())


# Russian words by their lemma, with or without the part of speech: учительница_NOUN.


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
