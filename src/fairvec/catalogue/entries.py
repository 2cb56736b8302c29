"""The models of the catalogue: fairvec's own list and the user's."""

from functools import cache
from pathlib import Path

from fairvec.catalogue.cache import cache_folder
from fairvec.catalogue.entry_file import read_entries
from fairvec.catalogue.model import Model
from fairvec.ground.errors import FileFormatError, UnknownNameError
from fairvec.ground.text.shown_values import shown

DATA = Path(__file__).parent / "data"
FILE_NAME = "models.toml"


def models() -> tuple[Model, ...]:
    """Return fairvec's models and then those of models.toml in the cache folder, if it exists."""
    own = cache_folder() / FILE_NAME
    return _own_models() + (_more_models(own) if own.is_file() else ())


def names() -> tuple[str, ...]:
    """Return the name of every model."""
    return tuple(model.name for model in models())


def find(name: str) -> Model:
    """Return the model of this name, or raise UnknownNameError with the nearest names."""
    for model in models():
        if model.name == name:
            return model
    raise UnknownNameError("model", name, names(), hint="'fairvec models list' shows them all.")


@cache
def _own_models() -> tuple[Model, ...]:
    return read(DATA / FILE_NAME)


def _more_models(path: Path) -> tuple[Model, ...]:
    taken = {model.name for model in _own_models()}
    more = read(path)
    for model in more:
        if model.name in taken or model.source.kind == "shipped":
            raise FileFormatError(
                f"{path}: model {shown(model.name)} is fairvec's own or claims to be shipped; "
                "give it another name and a source of kind 'url' or 'package'."
            )
    return more


def read(path: Path) -> tuple[Model, ...]:
    """Read a list of models; an unknown key, a missing one or a name used twice is refused."""
    return read_entries(path, Model, "docs/models.md")
