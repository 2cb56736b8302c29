"""Reading TOML files of word lists, with errors that name the file, the line and the field."""

import re
import tomllib
from collections.abc import Callable, Iterable
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from fairvec.errors import LexiconError
from fairvec.lexicon.problems import Location, as_lexicon_error
from fairvec.lexicon.words import Frozen

Model = TypeVar("Model", bound=Frozen)

_TOML_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


def read_toml(path: str | Path | Traversable, what: str) -> str:
    """Return the text of the file at `path`; `what` says in errors what it should hold."""
    file = Path(path) if isinstance(path, str) else path
    try:
        content = file.read_bytes()
    except OSError as error:
        reason = (error.strerror or "it cannot be read").lower()
        raise LexiconError(f"{path}: the {what} file cannot be read ({reason}).") from None
    try:
        text = content.decode("utf-8-sig")
        wrong = text.encode().find(b"\0")  # of UTF-16 without a mark at its start
    except UnicodeDecodeError as error:
        wrong = error.start
    if wrong >= 0:
        line = content.count(b"\n", 0, wrong) + 1
        raise LexiconError(f"{path}, line {line}: this is not UTF-8; save it as UTF-8.")
    return text


def parse_toml(
    text: str,
    where: str,
    model: type[Model],
    known_keys: Callable[[Location], Iterable[str]],
) -> Model:
    """Return what `text` says as a record of type `model`; `where` names it in errors."""
    try:
        return model.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise _not_toml(error, text, where) from None
    except ValidationError as error:
        raise as_lexicon_error(error, where, known_keys) from None


def _not_toml(error: tomllib.TOMLDecodeError, text: str, where: str) -> LexiconError:
    message = str(error)
    place = _TOML_PLACE.search(message)
    line = place[1] if place and place[1] else text.count("\n") + 1
    column = f", column {place[2]}" if place and place[2] else ""
    what = _TOML_PLACE.sub("", message)
    return LexiconError(
        f"{where}, line {line}{column}: this is not TOML ({what[:1].lower()}{what[1:]}); "
        "text needs quotes and lists need commas."
    )
