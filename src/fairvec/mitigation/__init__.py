"""Debiasing methods by name: what takes a concept out of an embedding or an encoder."""

from typing import Any

from fairvec.core.errors import UnknownNameError
from fairvec.core.settings import parse_settings
from fairvec.mitigation.base import GUARANTEES, Debiaser, describe_fit
from fairvec.mitigation.plugins import FOREIGN_METHODS, fit_checked, register_method
from fairvec.mitigation.registry import DEBIASERS, default_method
from fairvec.mitigation.transform import Transform
from fairvec.mitigation.transform_file import load_transform, save_transform


def debiaser(name: str, /, **settings: Any) -> Debiaser:
    """Return the method registered under `name` with some of its settings."""
    method = method_class(name)
    return method(**parse_settings(method, name, settings))


def method_class(name: str) -> type[Debiaser]:
    """Return the class of a method: fairvec's own, or one from outside."""
    for method in DEBIASERS:
        if method.name == name:
            return method
    if foreign := FOREIGN_METHODS.find(name):
        return foreign
    raise UnknownNameError("debiasing method", name, method_names())


def method_names() -> list[str]:
    """Return the names of all methods, fairvec's own first; those from outside are not imported."""
    return [*(method.name for method in DEBIASERS), *FOREIGN_METHODS.names()]


__all__ = [
    "DEBIASERS",
    "FOREIGN_METHODS",
    "GUARANTEES",
    "Debiaser",
    "Transform",
    "debiaser",
    "default_method",
    "describe_fit",
    "fit_checked",
    "load_transform",
    "method_class",
    "method_names",
    "register_method",
    "save_transform",
]
