"""The text of a corpus: which files it has, and what counts as a word of a line."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from glob import glob, has_magic
from pathlib import Path
from typing import Any, Literal

from fairvec.core.errors import FileFormatError, MissingExtraError
from fairvec.core.io.read_files import is_folder, is_there
from fairvec.languages.text import token_pattern

ENDINGS = (".txt", ".gz", ".xz", ".bz2", ".zst")
"""The files of a folder that are read; a file that is named may end otherwise."""


def corpus_files(names: Sequence[str | Path]) -> tuple[Path, ...]:
    """Return the files of names, folders and patterns.

    Each once, by whatever names, in the order of names within a folder or a pattern, so that a
    corpus is the same on every machine.
    """
    found: dict[Path, Path] = {}
    for name in names:
        path = Path(name)
        if is_folder(path):
            files = sorted(file for file in path.rglob("*") if _is_text(file, path))
            reason = f"the folder holds no text ({', '.join(ENDINGS)})"
        elif is_there(path) or not has_magic(str(name)):
            files = [path] if is_there(path) else []
            reason = "there is no such file"
        else:
            files = sorted(Path(file) for file in glob(str(name), recursive=True))  # noqa: PTH207 - a pattern may begin at the root
            files = [file for file in files if file.is_file()]
            reason = "no file matches"
        if not files:
            raise FileFormatError(f"{name}: {reason}; name a file, a folder or a pattern.")
        for file in files:
            found.setdefault(file.resolve(), file)
    if not found:
        raise FileFormatError("No corpus is named; name a file, a folder or a pattern.")
    return tuple(found.values())


def _is_text(file: Path, folder: Path) -> bool:
    hidden = any(part.startswith(".") for part in file.relative_to(folder).parts)
    return file.is_file() and not hidden and file.suffix.lower() in ENDINGS


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
        parse = analyse(form)[0]
        return f"{parse.normal_form}_{_upos(parse.tag)}" if tagged else str(parse.normal_form)

    return lambda line: [lemma(form) for form in find(line)]


def _upos(tag: Any) -> str:
    if "Name" in tag or "Surn" in tag or "Patr" in tag or "Geox" in tag:
        return "PROPN"
    if "NUMB" in tag:
        return "NUM"
    return UPOS_OF.get(tag.POS, "X")
