"""The files of the lexicon that are there once for each language."""

from importlib.resources import files
from importlib.resources.abc import Traversable

from fairvec.ground.errors import UnknownNameError


def file_of_language(language: str, folder: str, what: str) -> Traversable:
    """Return the file of a language in a folder of data; `what` names its content in errors."""
    languages = languages_with(folder)
    if language not in languages:
        raise UnknownNameError(f"language of {what}", language, languages)
    return _place(folder) / f"{language}.toml"


def languages_with(folder: str) -> tuple[str, ...]:
    """Return the languages that have a file in a folder of data."""
    return tuple(sorted(file.name.removesuffix(".toml") for file in _place(folder).iterdir()))


def _place(folder: str) -> Traversable:
    return files("fairvec.lexicon") / "data" / folder
