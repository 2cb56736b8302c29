"""The catalogue itself: fairvec's own list of models and the user's."""

import tomllib
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from fairvec.catalogue.cache import cache_folder
from fairvec.catalogue.model import Model
from fairvec.errors import FileFormatError, UnknownNameError

DATA = Path(__file__).parent / "data"
FILE_NAME = "models.toml"


class _File(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    models: tuple[Model, ...]


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
                f"{path}: model {model.name!r} is fairvec's own or claims to be shipped; "
                "give it another name and a source of kind 'url' or 'package'."
            )
    return more


def read(path: Path) -> tuple[Model, ...]:
    """Read a list of models; an unknown key, a missing one or a name used twice is refused."""
    try:
        found = _File.model_validate(tomllib.loads(path.read_text(encoding="utf-8"))).models
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise FileFormatError(
            f"{path}, {where}: {first['msg']}; docs/models.md lists the fields."
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FileFormatError(f"{path}: not a TOML file ({error}); correct it.") from error
    seen: set[str] = set()
    for model in found:
        if model.name in seen:
            raise FileFormatError(f"{path}: two models are named {model.name!r}; rename one.")
        seen.add(model.name)
    return found
