"""Debiasing methods of other packages: registered in Python, or found by an entry point."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeVar

from fairvec.core.errors import FairvecError, PluginError, SettingError, brief
from fairvec.core.plugins import (
    PluginRegistry,
    describe_plugin_fault,
    describe_setting_fault,
    is_frozen,
    is_name,
    origin_of,
    refusal,
)
from fairvec.core.settings import setting_types
from fairvec.embedding import Embedding
from fairvec.lexicon import Concept
from fairvec.mitigation.base import GUARANTEES, Debiaser
from fairvec.mitigation.registry import DEBIASERS
from fairvec.mitigation.transform import Transform
from fairvec.mitigation.transform_file import MOVES

GROUP = "fairvec.methods"
"""The group of entry points by which a package brings debiasing methods."""
PACKAGE = "package"
"""The remark of a transform that names the package of its method."""

Method = TypeVar("Method", bound=type)


def as_method(plugin: object, label: str) -> type[Debiaser]:
    """Check a plugin's class of a method and return it; the error names what is missing.

    It must be a frozen dataclass with all that `Debiaser` has, and a default for every setting.
    """
    refusal(label, _class_faults(plugin))
    method: Any = plugin
    try:
        method()
    except Exception as error:  # it is somebody else's, and may raise anything
        raise SettingError(
            f"{label} cannot be made by its default settings ({brief(error)}); give every "
            "setting a default."
        ) from error
    checked: type[Debiaser] = method
    return checked


def _class_faults(plugin: Any) -> Iterator[str]:
    if not isinstance(plugin, type) or not is_frozen(plugin):
        yield "is no class that is a frozen dataclass"
        return
    if trouble := describe_setting_fault(plugin):
        yield trouble
        return
    if not is_name(getattr(plugin, "name", None)):
        yield "has no name of small letters, digits, dots and hyphens"
    if "strength" not in setting_types(plugin):
        yield "has no setting strength, from 0 (nothing) to 1 (all)"
    if not callable(getattr(plugin, "fit", None)):
        yield "has no function fit"


FOREIGN_METHODS: PluginRegistry[type[Debiaser]] = PluginRegistry(
    "debiasing method", GROUP, frozenset(method.name for method in DEBIASERS), as_method
)
"""The methods that are not fairvec's own."""


def register_method(method: Method) -> Method:
    """Have the class of a method found by its name, as fairvec's own are, in this process.

    It can stand as a decorator above the class, and returns what is given. To have the shell find
    it too, declare an entry point of the group `fairvec.methods`.
    """
    FOREIGN_METHODS.register(method)
    return method


def fit_checked(method: Debiaser, embedding: Embedding, concept: Concept) -> Transform:
    """Fit a method; what one from outside gives is checked, and says which package it is from."""
    origin = origin_of(type(method))
    if origin is None:
        return method.fit(embedding, concept)
    FOREIGN_METHODS.refuse_own(method.name)
    try:
        fitted: Any = method.fit(embedding, concept)
    except FairvecError:
        raise
    except Exception as error:  # it is somebody else's, and may raise anything
        raise PluginError(describe_plugin_fault(method, error)) from error
    if faults := " and ".join(_transform_faults(fitted, method, embedding)):
        raise PluginError(
            f"{method.name} of {origin} gave a transform that {faults}; tell the authors of that "
            "package."
        )
    transform: Transform = fitted
    return replace(transform, remarks={**transform.remarks, PACKAGE: (str(origin),)})


def _transform_faults(found: Any, method: Debiaser, embedding: Embedding) -> Iterator[str]:
    """Yield what is wrong with a plugin's transform: later it could be neither told nor saved."""
    if not isinstance(found, Transform):
        yield f"is a {type(found).__name__}"
        return
    if found.method != method.name:
        yield f"is called {found.method!r}"
    if found.settings.get("strength") != method.strength:
        yield "does not tell its strength among its settings"
    if (found.geometry, found.move.dimensions) != (embedding.geometry, embedding.dimensions):
        yield "is of another space"
    if type(found.move) not in MOVES:
        yield f"moves words by {type(found.move).__name__}, which no file can hold"
    if unknown := sorted(found.guarantees - {*GUARANTEES}):
        yield f"promises {', '.join(map(str, unknown))}, which nobody can hold it to"
    try:
        json.dumps(dict(found.settings))
    except (TypeError, ValueError):
        yield "has settings that are no plain values"
