"""The files of the lexicon that are there once for each language."""

from importlib.resources import files
from importlib.resources.abc import Traversable

from fairvec.ground.errors import UnknownNameError


def file_of_language(language: str, folder: str, what: str) -> Traversable:
    """Return the file of a language in a folder of data; `what` names its content in errors."""
    place = files("fairvec.lexicon") / "data" / folder
    languages = {file.name.removesuffix(".toml") for file in place.iterdir()}
    if language not in languages:
        raise UnknownNameError(f"language of {what}", language, languages)
    return place / f"{language}.toml"
