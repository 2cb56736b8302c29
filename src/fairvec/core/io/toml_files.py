"""TOML files of word lists and study plans, with errors that name the file, line and field."""

import json
from collections.abc import Callable, Collection, Iterable
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple, TypeVar

from pydantic import ValidationError

from fairvec.core.errors import LexiconError
from fairvec.core.io.read_files import read_text
from fairvec.core.parsing import parse_toml_tables
from fairvec.core.validation import Frozen, Location, describe_validation_error

Model = TypeVar("Model", bound=Frozen)


def read_toml(path: str | Path | Traversable, what: str) -> str:
    """Return the text of the file at `path`; `what` says in errors what it should hold."""
    return read_text(path, what, LexiconError)


def parse_toml(
    text: str,
    where: str,
    model: type[Model],
    known_keys: Callable[[Location], Iterable[str]],
) -> Model:
    """Return the TOML text as a record of type `model`; `where` names it in errors."""
    tables = parse_toml_tables(text, where, LexiconError)
    try:
        return model.model_validate(tables)
    except ValidationError as error:
        if mistaken := wrong_file_kind(tables, model.model_fields):
            raise LexiconError(f"{where}: {mistaken}") from None
        raise as_lexicon_error(error, where, known_keys) from None


_EXPECTED = {"Word": "a word in quotes, or a table with the key word"}


def as_lexicon_error(
    error: ValidationError, where: str, known_keys: Callable[[Location], Iterable[str]]
) -> LexiconError:
    """Return the error whose message names the file, each field and what it should be."""
    return LexiconError(
        f"{where}: {describe_validation_error(error, known_keys, wanted=_EXPECTED)}."
    )


class FileKind(NamedTuple):
    """A kind of file: its title, the keys that mark it, and where such a file is passed."""

    title: str
    marks: frozenset[str]
    place: str


FILE_KINDS = (
    FileKind("a suite of tests", frozenset({"sets", "tests"}), "name it with --suite (suites=...)"),
    FileKind("a file of concepts", frozenset({"concepts"}), "name it with --concept (concept=...)"),
    FileKind(
        "the plan of a study", frozenset({"corpora", "windows"}), "run it with 'fairvec study FILE'"
    ),
)


def wrong_file_kind(found: Collection[str], wanted: Collection[str]) -> str:
    """Return a sentence if keys `found` mark another kind of file than keys `wanted` do.

    Empty for a file with the marks of the wanted kind, or of none.
    """
    expected = next((kind for kind in FILE_KINDS if kind.marks <= {*wanted}), None)
    if expected is None or expected.marks <= {*found}:
        return ""
    other = next((kind for kind in FILE_KINDS if kind.marks <= {*found}), None)
    return f"this is {other.title} and not {expected.title}; {other.place}." if other else ""


def toml_string(text: str) -> str:
    """Return the text as TOML writes it."""
    # A JSON string is a TOML basic string, but for DEL, which JSON leaves bare.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
