"""Reading TOML files of word lists, with errors that name the file, the line and the field."""

from collections.abc import Callable, Iterable
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from fairvec.ground.disk.files import text_of
from fairvec.ground.errors import LexiconError
from fairvec.ground.text.toml_text import tables_of
from fairvec.lexicon.languages import file_of_language
from fairvec.lexicon.linting.file_kinds import mistaken
from fairvec.lexicon.linting.problems import Location, as_lexicon_error
from fairvec.lexicon.words import Frozen

Model = TypeVar("Model", bound=Frozen)


def read_toml(path: str | Path | Traversable, what: str) -> str:
    """Return the text of the file at `path`; `what` says in errors what it should hold."""
    return text_of(path, what, LexiconError)


def parse_toml(
    text: str,
    where: str,
    model: type[Model],
    known_keys: Callable[[Location], Iterable[str]],
) -> Model:
    """Return what `text` says as a record of type `model`; `where` names it in errors."""
    tables = tables_of(text, where, LexiconError)
    try:
        return model.model_validate(tables)
    except ValidationError as error:
        if told := mistaken(tables, model.model_fields):
            raise LexiconError(f"{where}: {told}") from None
        raise as_lexicon_error(error, where, known_keys) from None


def table_of_language(language: str, folder: str, what: str, model: type[Model]) -> Model:
    """Return what the file of a language in a folder of data says; `what` names it in errors."""
    file = file_of_language(language, folder, what)
    text = read_toml(file, folder.replace("_", " "))
    return parse_toml(text, file.name, model, lambda _: model.model_fields)
