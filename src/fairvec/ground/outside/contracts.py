"""What a class from outside must be before its parts are looked at."""

import re
from typing import Any

from fairvec.ground.errors import in_brief
from fairvec.ground.settings import kinds_of

_NAME = re.compile(r"[a-z0-9]+([.-][a-z0-9]+)*")


def is_name(value: Any) -> bool:
    """Return whether something can be the name of a metric or method, in the shell and in files."""
    return isinstance(value, str) and _NAME.fullmatch(value) is not None


def is_frozen(kind: type) -> bool:
    """Return whether a class is a dataclass that does not change."""
    parameters = getattr(kind, "__dataclass_params__", None)
    return bool(parameters and parameters.frozen)


def lacking_settings(kind: type) -> str:
    """Say why the settings of a dataclass cannot be read; empty if they can."""
    try:
        kinds_of(kind)
    except Exception as error:  # its annotations are somebody else's, and may name anything
        return f"has settings whose types cannot be read ({in_brief(error)})"
    return ""
