"""The change: methods that take a concept out of an embedding, one file each."""

import json
from dataclasses import fields
from typing import Any, get_type_hints

from pydantic import TypeAdapter, ValidationError

from fairvec.debias.base import GUARANTEES, Debiaser
from fairvec.debias.conceptor import ConceptorNegation
from fairvec.debias.double_hard import DoubleHard
from fairvec.debias.half_sibling import HalfSibling
from fairvec.debias.hard import HardDebiasing
from fairvec.debias.inlp import INLP
from fairvec.debias.leace import LEACE
from fairvec.debias.linear_projection import LinearProjection
from fairvec.debias.lpsg import LPSG
from fairvec.debias.multiclass import MultiClassHard
from fairvec.debias.oscar import OSCaR
from fairvec.debias.pgd import PGD
from fairvec.debias.ran import RAN
from fairvec.debias.transform import Transform
from fairvec.debias.transform_file import load_transform, save_transform
from fairvec.errors import SettingError, UnknownNameError

DEBIASERS: tuple[type[Debiaser], ...] = (
    LinearProjection,
    HardDebiasing,
    LPSG,
    INLP,
    LEACE,
    OSCaR,
    ConceptorNegation,
    HalfSibling,
    MultiClassHard,
    DoubleHard,
    RAN,
    PGD,
)


def debiaser(name: str, /, **settings: object) -> Debiaser:
    """Return the method registered under `name` with some of its settings."""
    for method in DEBIASERS:
        if method.name == name:
            return method(**{each: _fit_for(method, each, settings[each]) for each in settings})
    raise UnknownNameError("debiasing method", name, (method.name for method in DEBIASERS))


def _fit_for(method: type[Debiaser], setting: str, value: object) -> Any:
    """Return a value as a setting of a method, if it is of the right kind; a list may be a tuple.

    Which numbers and which words a setting may have is for the method to say.
    """
    known = [field.name for field in fields(method)]  # type: ignore[arg-type]
    if setting not in known:
        raise SettingError(
            f"{method.name} has no setting named {setting!r}; known: {', '.join(known)}."
        )
    try:
        kind = TypeAdapter(get_type_hints(method)[setting])
        return kind.validate_json(json.dumps(value, default=str), strict=True)
    except ValidationError as error:
        (first, *_) = error.errors()
        if first["type"] == "literal_error" and isinstance(value, str):
            return value
        wanted = first["msg"].replace("Input", "it", 1)
        raise SettingError(f"{method.name}: {setting} is {value!r}; {wanted}.") from None


__all__ = [
    "DEBIASERS",
    "GUARANTEES",
    "INLP",
    "LEACE",
    "LPSG",
    "PGD",
    "RAN",
    "ConceptorNegation",
    "Debiaser",
    "DoubleHard",
    "HalfSibling",
    "HardDebiasing",
    "LinearProjection",
    "MultiClassHard",
    "OSCaR",
    "Transform",
    "debiaser",
    "load_transform",
    "save_transform",
]
