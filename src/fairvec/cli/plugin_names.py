"""The metrics and methods of other packages: those that a command line names, and their names."""

from collections.abc import Sequence
from typing import Any

from fairvec.core.plugins import PREFIX


def resolve_metrics(names: Sequence[str] | None) -> list[str] | None:
    """Return the names of metrics; `python:module:name` is imported and registered first.

    Only the command line does that, so that no file can name code to run.
    """
    from fairvec.metrics import FOREIGN_METRICS

    return None if names is None else [_resolve(name, FOREIGN_METRICS) for name in names]


def resolve_methods(names: Sequence[str] | None) -> list[str] | None:
    """Return the names of methods, as `resolve_metrics` does for metrics."""
    from fairvec.mitigation import FOREIGN_METHODS  # here, because an audit debiases nothing

    return None if names is None else [_resolve(name, FOREIGN_METHODS) for name in names]


def resolve_method(name: str) -> str:
    """Return the name of one method."""
    return (resolve_methods([name]) or [name])[0]


def _resolve(name: str, plugins: Any) -> str:
    return plugins.register_from(name) if name.startswith(PREFIX) else name


def metric_names() -> str:
    """Return how the help of an option names the metrics that are not fairvec's own.

    To look for packages takes a while.
    """
    from fairvec.metrics import FOREIGN_METRICS

    return _describe(FOREIGN_METRICS.names())


def method_names() -> str:
    """Return the same of methods."""
    from fairvec.mitigation import FOREIGN_METHODS

    return _describe(FOREIGN_METHODS.names())


def _describe(names: Sequence[str]) -> str:
    if names:
        return f"python:module:name or, of other packages, {', '.join(names)}"
    return "python:module:name or one of another package ('fairvec plugins list')"
