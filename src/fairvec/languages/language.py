"""Language codes, scripts of letters and languages, and the data files of each language."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.core.io.toml_files import Model, parse_toml, read_toml
from fairvec.core.text import short_repr

CODE = re.compile(r"[a-z]{2,3}")


def language_codes(languages: str | Sequence[str]) -> tuple[str, ...]:
    """Return the languages that are named, each once; a name is a code such as en."""
    value: Any = languages
    is_sequence = isinstance(value, Iterable) and not isinstance(value, str | bytes)
    codes: tuple[Any, ...] = tuple(dict.fromkeys(value)) if is_sequence else (value,)
    for code in codes or ("",):
        if not isinstance(code, str) or not CODE.fullmatch(code):
            raise SettingError(
                f"A language is named by its code such as en, hi or ru, not {short_repr(code, 40)}."
            )
    return codes


_LANGUAGES_OF_SCRIPT = {
    "LATIN": "cs da de en es et fi fr hr hu id it lt lv nl no pl pt ro sk sl sv tr vi",
    "CYRILLIC": "be bg kk mk ru uk",
    "DEVANAGARI": "hi mr ne sa",
}
_SCRIPT_OF = {
    code: script for script, codes in _LANGUAGES_OF_SCRIPT.items() for code in codes.split()
}

# Written side by side in one word, so they count as one.
_EAST_ASIAN = {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO"}


def script(letter: str) -> str:
    """Return the first word of the letter's Unicode name, as in LATIN or CYRILLIC; or nothing."""
    if not unicodedata.category(letter).startswith("L"):
        return ""
    first = unicodedata.name(letter, "").partition(" ")[0]
    return "CJK" if first in _EAST_ASIAN else first


def scripts(text: str) -> set[str]:
    """Return the scripts of the letters of `text`."""
    return {script(letter) for letter in text} - {""}


def script_of_language(language: str, texts: Iterable[str]) -> str:
    """Return the script of a language: the known one, or the one most letters of `texts` have."""
    if language in _SCRIPT_OF:
        return _SCRIPT_OF[language]
    counts = Counter(script(letter) for text in texts for letter in text)
    counts.pop("", None)
    return max(sorted(counts), key=counts.__getitem__, default="")


def file_of_language(language: str, folder: str, what: str) -> Traversable:
    """Return the file of a language in a folder of data; `what` names its content in errors."""
    languages = languages_with(folder)
    if language not in languages:
        raise UnknownNameError(f"language of {what}", language, languages)
    return _data_folder(folder) / f"{language}.toml"


def languages_with(folder: str) -> tuple[str, ...]:
    """Return the languages that have a file in a folder of data."""
    return tuple(sorted(file.name.removesuffix(".toml") for file in _data_folder(folder).iterdir()))


def _data_folder(folder: str) -> Traversable:
    return files("fairvec.lexicon") / "data" / folder


def table_of_language(language: str, folder: str, what: str, model: type[Model]) -> Model:
    """Return what the file of a language in a folder of data says; `what` names it in errors."""
    file = file_of_language(language, folder, what)
    text = read_toml(file, folder.replace("_", " "))
    return parse_toml(text, file.name, model, lambda _: model.model_fields)
