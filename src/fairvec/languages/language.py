"""What fairvec knows of a language: one folder each, and defaults for a language without one.

A folder `languages/<code>/` holds `language.toml`, and what there is of word tables and code (see
`Language`). Folders are looked for along `fairvec.languages.__path__`, to which a program may add
a folder of its own.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, cached_property, lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from fairvec import languages as search_path
from fairvec.core.errors import LexiconError, MissingExtraError, SettingError, UnknownNameError
from fairvec.core.io.toml_files import Model, parse_toml, read_toml
from fairvec.core.text import short_repr
from fairvec.core.validation import Frozen
from fairvec.languages.spelling import Spelling

CODE = re.compile(r"[a-z]{2,3}")

DEFAULT_LANGUAGE = "en"
"""The language of a new file of lists, unless one is named."""

UNKNOWN_LANGUAGES = ("", "und")
"""The codes of a language that is not known."""

_ISO_639_1 = (
    "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy "
    "da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu "
    "hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb "
    "lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om "
    "or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv "
    "sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh "
    "zu"
)


def is_two_letter_code(code: str) -> bool:
    """Return whether a code is one of ISO 639-1."""
    return code in _ISO_639_1.split()


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
    "LATIN": "cs da de es et fi fr hr hu id it lt lv nl no pl pt ro sk sl sv tr vi",
    "CYRILLIC": "be bg kk mk uk",
    "DEVANAGARI": "mr ne sa",
}
"""The scripts of languages without a folder."""
_SCRIPT_OF = {
    code: script for script, codes in _LANGUAGES_OF_SCRIPT.items() for code in codes.split()
}

# Written side by side in one word, so they count as one.
_EAST_ASIAN = {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO"}


@lru_cache(10_000)
def script(letter: str) -> str:
    """Return the first word of the letter's Unicode name, as in LATIN or CYRILLIC; or nothing."""
    if not unicodedata.category(letter).startswith("L"):
        return ""
    first = unicodedata.name(letter, "").partition(" ")[0]
    return "CJK" if first in _EAST_ASIAN else first


def scripts(text: str) -> set[str]:
    """Return the scripts of the letters of `text`."""
    return {script(letter) for letter in set(text)} - {""}


class Extra(Frozen):
    """The extra of fairvec that code of a language needs, and the package that it installs."""

    name: str
    package: str


class Language(Frozen):
    """What `language.toml` says of a language; its other files are found by their names.

    Tables beside it: people, templates, equity, rewrites, first_names, coded, noun_gender and
    concepts (.toml), and a folder of suites. Code: `spelling.py` has RULES that are not counted
    (`SpellingRule`) and the indefinite `article` of a word, `homographs.py` says which listed word
    `is_homograph` in its place, `swaps.py` has swaps that depend on the words around (`SWAPS`),
    `lemmas.py` has `lemma_finder`, `rewriting.py` has `suggest`. All of them may be absent.
    """

    code: str
    name: str = ""
    """In English."""
    script: str = ""
    """As Unicode's names of letters begin: LATIN."""
    joiners: Literal["kept", "ignored"] = "kept"
    """Whether ZWJ and ZWNJ within a word are spelling, or its look alone."""
    sentence_ends: str = ".!?…।॥۔؟"
    abbreviations: tuple[str, ...] = ()
    """Before a full stop that ends no sentence."""
    function_words: str = ""
    """The commonest words, with spaces between: by them a text in this language is known."""
    hyphen_joins_words: bool = True
    """Whether what a hyphen joins is several words (माता-पिता), not one (man-made)."""
    indefinite_article: str = ""
    """What stands in a template for the indefinite article, a(n), which `article` chooses."""
    default_suite: str = ""
    extra: Extra | None = None
    example_word: str = ""
    """A word to begin with where a person may type any."""
    examples: dict[str, dict[str, str]] = Field(default_factory=dict)
    """Words for first drafts of suites and concepts."""

    @cached_property
    def spelling(self) -> Spelling:
        """How it is spelt."""
        return Spelling(self.from_module("spelling", "RULES", ()), self.joiners == "kept")

    def has_module(self, name: str) -> bool:
        """Return whether its folder has a module of this name."""
        folder = language_folders().get(self.code)
        return folder is not None and _is_module(folder, name)

    def from_module(self, module: str, name: str, default: Any = None) -> Any:
        """Return what a module of its folder calls by this name, or the default without it."""
        if not self.has_module(module):
            return default
        return getattr(import_module(f"{search_path.__name__}.{self.code}.{module}"), name, default)

    def require_extra(self, task: str) -> None:
        """Raise MissingExtraError if the package that its code needs is not installed."""
        if self.extra and not find_spec(self.extra.package):
            raise MissingExtraError(f"{task} {self.name}", self.extra.name)


@cache
def _is_module(folder: Path, name: str) -> bool:
    return (folder / f"{name}.py").is_file()


def language(code: str) -> Language:
    """Return what is known of a language; one without a folder has the defaults."""
    return _read_language(code, language_folders().get(code))


@cache
def _read_language(code: str, folder: Path | None) -> Language:
    if folder is None:
        joiners: Any = "ignored" if code in UNKNOWN_LANGUAGES else "kept"
        return Language(code=code, script=_SCRIPT_OF.get(code, ""), joiners=joiners)
    file = folder / "language.toml"
    found = parse_toml(
        read_toml(file, "language"), str(file), Language, lambda _: Language.model_fields
    )
    if found.code != code:
        raise LexiconError(f"{file}: it is of {found.code}; put it in a folder of that name.")
    return found


def language_folders() -> dict[str, Path]:
    """Return the folder of each language that has one, by code."""
    return _folders_in(tuple(search_path.__path__))


@cache
def _folders_in(roots: tuple[str, ...]) -> dict[str, Path]:
    files = (file for root in reversed(roots) for file in Path(root).glob("*/language.toml"))
    return dict(sorted((file.parent.name, file.parent) for file in files))


def known_languages() -> tuple[Language, ...]:
    """Return the languages that have a folder."""
    return tuple(map(language, language_folders()))


def script_of_language(code: str, texts: Iterable[str]) -> str:
    """Return the script of a language: the known one, or the one most letters of `texts` have."""
    if known := language(code).script:
        return known
    counts = Counter(script(letter) for text in texts for letter in text)
    counts.pop("", None)
    return max(sorted(counts), key=counts.__getitem__, default="")


def languages_with(table: str) -> tuple[str, ...]:
    """Return the languages whose folder has a table."""
    folders = language_folders().items()
    return tuple(code for code, folder in folders if (folder / f"{table}.toml").is_file())


def file_of_language(code: str, table: str, what: str) -> Path:
    """Return the file of a table in a language's folder; `what` names its content in errors."""
    if code not in (codes := languages_with(table)):
        raise UnknownNameError(f"language of {what}", code, codes)
    return language_folders()[code] / f"{table}.toml"


def table_of_language(code: str, table: str, what: str, model: type[Model]) -> Model:
    """Return what a table of a language says; `what` names its content in errors."""
    file = file_of_language(code, table, what)
    text = read_toml(file, table.replace("_", " "))
    return parse_toml(text, f"{code}/{file.name}", model, lambda _: model.model_fields)
