"""A fitted method at another strength, without fitting it again."""

from dataclasses import fields, replace
from typing import Any

from fairvec.core.errors import SettingError
from fairvec.core.settings import Share, check_value
from fairvec.mitigation.base import KEPT_UNTOUCHED, NORM_KEPT
from fairvec.mitigation.moves import Move
from fairvec.mitigation.registry import DEBIASERS
from fairvec.mitigation.transform import Transform

AT_ANY_STRENGTH = frozenset({NORM_KEPT, KEPT_UNTOUCHED})
OF_ONE_STRENGTH = ("objective",)
"""Remarks about what is reached at the strength of the fit."""


def at_strength(transform: Transform, strength: float) -> Transform | None:
    """Return what fitting at this strength would give; None where only fitting can tell.

    The directions that a method of fairvec's own finds do not depend on its strength, so that a
    move at another one is the same move with another number. Words with a set place are put there
    by the fit, and of plugins nothing is known. Below full strength lengths and directions to keep
    are still guaranteed; full strength cannot be derived from a fit below it.
    """
    strength = check_value(transform.method, "strength", Share, strength)
    if strength == transform.settings.get("strength"):
        return transform
    is_own = any(method.name == transform.method for method in DEBIASERS)
    if transform.placed or not is_own or strength == 1:
        return None
    return replace(
        transform,
        settings={**transform.settings, "strength": strength},
        guarantees=transform.guarantees & AT_ANY_STRENGTH,
        move=_move_at(transform.move, strength),
        remarks={
            name: remarks
            for name, remarks in transform.remarks.items()
            if name not in OF_ONE_STRENGTH
        },
    )


def _move_at(move: Any, strength: float) -> Move:
    if "strength" not in {field.name for field in fields(move)}:
        raise SettingError(f"A {type(move).__name__} has no strength; fit the method again.")
    changed: Move = replace(move, strength=strength)
    return changed
