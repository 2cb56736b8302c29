"""The models that a call of Python is given: a name, a path, or what is held already."""

from collections.abc import Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from fairvec.embedding import Embedding, load
from fairvec.encoders import Encoder, Representation
from fairvec.encoders.naming import names_an_encoder
from fairvec.ground.errors import SettingError


# The line to replace once api/models.py is there: from fairvec.api.models import as_model
def as_model(held: Any, *, language: str | Sequence[str] | None = None) -> Representation:
    """Return the model that an object of Python is, holds or names."""
    found = held if isinstance(held, Embedding | Encoder) else _opened(held)
    return found if language is None else found.speaking(language)


def as_embedding(held: Any, *, language: str | Sequence[str] | None = None) -> Embedding:
    """Return a model of word vectors; an encoder has no words of its own and is refused."""
    found = as_model(held, language=language)
    if isinstance(found, Embedding):
        return found
    raise SettingError(
        f"{found.name} is an encoder and has no vocabulary; make word vectors of it with "
        "'fairvec distil'."
    )


def _opened(held: Any) -> Representation:
    if isinstance(held, str | PathLike):
        held = fspath(held)
    if not isinstance(held, str) or not names_an_encoder(held):
        return load(held)
    # Here and not above: an audit of word vectors loads nothing that encodes or debiases.
    from fairvec.encoders.opening import open_encoder
    from fairvec.evaluation.debiased_encoder_files import is_debiased_encoder, open_debiased_encoder

    again = is_debiased_encoder(Path(held))
    return open_debiased_encoder(Path(held)) if again else open_encoder(held)
