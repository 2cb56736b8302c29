"""The text of a corpus: which files it has, and what counts as a word of a line."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from glob import glob, has_magic
from pathlib import Path
from typing import Literal

from fairvec.core.errors import FileFormatError
from fairvec.core.io.read_files import is_folder, is_there
from fairvec.languages.language import known_languages
from fairvec.languages.language import language as language_named
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


def plain_words(case: Case = "lower", language: str = "") -> WordsOf:
    """Return what finds words as they stand: letters, their marks and digits, joined by - and '.

    The line is put into the language's normal form first; Devanagari keeps its vowel signs.
    """
    find, normalize = token_pattern().findall, language_named(language).spelling.normalize
    if case == "keep":
        return lambda line: find(normalize(line))
    return lambda line: find(normalize(line).lower())


def separated_words(language: str = "") -> WordsOf:
    """Return what finds words that were found before, with a space between them."""
    normalize = language_named(language).spelling.normalize
    return lambda line: normalize(line).split()


REMEMBERED = 2**18
"""Word forms whose lemma is remembered: most of a text is made of fewer."""


def has_lemmas(language: str) -> bool:
    """Return whether the words of a language can be learnt as lemmas."""
    return language_named(language).has_module("lemmas")


def languages_with_lemmas() -> str:
    """Return the languages in which there are lemmas, as a sentence names them."""
    return " and ".join(known.code for known in known_languages() if has_lemmas(known.code))


def lemmas(language: str, *, tagged: bool) -> WordsOf:
    """Return what finds the lemmas of the words of a line, each with its part of speech if tagged.

    Form by form: no sentence is looked at.
    """
    of_language = language_named(language)
    of_language.require_extra("Lemmatising")
    lemma = lru_cache(REMEMBERED)(of_language.from_module("lemmas", "lemma_finder")(tagged=tagged))
    find = plain_words(language=language)
    return lambda line: [lemma(form) for form in find(line)]
