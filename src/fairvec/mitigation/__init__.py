"""The change: methods that take a concept out of an embedding, one file each."""

from typing import Any

from fairvec.ground.errors import UnknownNameError
from fairvec.ground.settings import as_settings
from fairvec.mitigation.base import GUARANTEES, Debiaser
from fairvec.mitigation.conceptor import ConceptorNegation
from fairvec.mitigation.double_hard import DoubleHard
from fairvec.mitigation.foreign import FOREIGN_METHODS, fitted_by, register_method
from fairvec.mitigation.half_sibling import HalfSibling
from fairvec.mitigation.hard import HardDebiasing
from fairvec.mitigation.inlp import INLP
from fairvec.mitigation.leace import LEACE
from fairvec.mitigation.linear_projection import LinearProjection
from fairvec.mitigation.lpsg import LPSG
from fairvec.mitigation.multiclass import MultiClassHard
from fairvec.mitigation.oscar import OSCaR
from fairvec.mitigation.own_methods import DEBIASERS
from fairvec.mitigation.pgd import PGD
from fairvec.mitigation.ran import RAN
from fairvec.mitigation.transform.fitted import Transform
from fairvec.mitigation.transform.transform_file import load_transform, save_transform


def debiaser(name: str, /, **settings: Any) -> Debiaser:
    """Return the method registered under `name` with some of its settings."""
    method = method_named(name)
    return method(**as_settings(method, name, settings))


def method_named(name: str) -> type[Debiaser]:
    """Return the class of a method: fairvec's own, or one from outside."""
    for method in DEBIASERS:
        if method.name == name:
            return method
    if foreign := FOREIGN_METHODS.find(name):
        return foreign
    raise UnknownNameError("debiasing method", name, names_of_methods())


def names_of_methods() -> list[str]:
    """Return the names of all methods, fairvec's own first; those from outside are not imported."""
    return [*(method.name for method in DEBIASERS), *FOREIGN_METHODS.names()]


__all__ = [
    "DEBIASERS",
    "FOREIGN_METHODS",
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
    "fitted_by",
    "load_transform",
    "method_named",
    "names_of_methods",
    "register_method",
    "save_transform",
]
