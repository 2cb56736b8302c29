"""Metrics and methods from outside, as the shell names them."""

from collections.abc import Sequence
from typing import Any

from fairvec.core.plugins import PREFIX

OTHERS = "python:module:name or one of another package ('fairvec plugins list')"
"""What the help of an option says of names that are not fairvec's own."""


def metrics_named(names: Sequence[str] | None) -> list[str] | None:
    """Return metrics by their names; one in a module is imported, because a user typed its place.

    Nothing below the shell does that, so that no file can name code to run.
    """
    from fairvec.metrics import FOREIGN_METRICS

    return None if names is None else [_known(name, FOREIGN_METRICS) for name in names]


def methods_named(names: Sequence[str] | None) -> list[str] | None:
    """Return methods by their names, as `metrics_named` does metrics."""
    from fairvec.mitigation import FOREIGN_METHODS  # here, because an audit debiases nothing

    return None if names is None else [_known(name, FOREIGN_METHODS) for name in names]


def method_named(name: str) -> str:
    """Return one method by its name."""
    return (methods_named([name]) or [name])[0]


def _known(name: str, plugins: Any) -> str:
    return plugins.register_from(name) if name.startswith(PREFIX) else name


def add_plugin_names(command: Any) -> Any:
    """Have the help of a command, and of those below it, name what other packages add.

    It is asked for help alone: to look for packages takes a while.
    """
    for below in getattr(command, "commands", {}).values():
        add_plugin_names(below)
    for option in command.params:
        said = getattr(option, "help", None) or ""
        if OTHERS in said and (names := ", ".join(_names(option.name))):
            option.help = said.replace(OTHERS, f"python:module:name or, of other packages, {names}")
    return command


def _names(option: str) -> list[str]:
    if option == "metric":
        from fairvec.metrics import FOREIGN_METRICS

        return FOREIGN_METRICS.names()
    from fairvec.mitigation import FOREIGN_METHODS

    return FOREIGN_METHODS.names()
