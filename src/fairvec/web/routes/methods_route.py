"""GET /api/methods: the debiasing methods, and what each can be set to."""

from dataclasses import fields
from inspect import getdoc
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin

from fairvec.ground.settings import Range, kinds_of
from fairvec.mitigation import DEBIASERS, method_named, names_of_methods
from fairvec.web.opened import OpenModels


def told_of_methods(_: OpenModels) -> dict[str, Any]:
    """Return each method with the sentence that says what it does, and its settings."""
    return {"methods": [_told(method_named(name)) for name in names_of_methods()]}


def _told(method: type) -> dict[str, Any]:
    usual = method()
    said = (getdoc(method) or "").strip()
    sentence, _, rest = said.partition("\n\n")
    named: Any = method
    return {
        "name": named.name,
        "meaning": " ".join(sentence.split()),
        "about": rest,
        "own": method in DEBIASERS,
        "settings": [
            {"name": field.name, "usual": getattr(usual, field.name), **_kind(kind)}
            for field in fields(named)
            if (kind := kinds_of(method).get(field.name)) and field.name != "strength"
        ],
    }


def _kind(kind: Any) -> dict[str, Any]:
    """Return by what a page asks for a setting: a choice, a whole number, a number, a text."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Literal:
        return {"kind": "choice", "choices": list(parts)}
    if origin is Annotated:
        (bounds,) = (one for one in parts[1:] if isinstance(one, Range))
        most = bounds.most if bounds.most < float("inf") else None
        return {**_kind(parts[0]), "least": bounds.least, "most": most}
    if NoneType in parts:
        (inner,) = (one for one in parts if one is not NoneType)
        return {**_kind(inner), "optional": True}
    names = {bool: "truth", int: "whole", float: "number", str: "text"}
    return {"kind": names.get(kind, "list")}
