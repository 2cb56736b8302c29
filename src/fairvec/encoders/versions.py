"""The versions of everything that could move a digit of a model's figures."""

import platform
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from fairvec.core.plugins import version_of
from fairvec.encoders import Encoder, Representation
from fairvec.version import __version__


@cache
def _versions(packages: tuple[str, ...]) -> dict[str, str]:
    found = {"fairvec": __version__, "python": platform.python_version()}
    for name in packages:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def versions(model: Representation | None = None, *others: Any) -> dict[str, str]:
    """Return the versions of everything that could move a digit of a model's figures.

    `others` are the metrics or methods that were used; those from outside have a version too.
    """
    reading = ("torch", "transformers", "tokenizers") if isinstance(model, Encoder) else ()
    found = dict(_versions(("numpy", "scipy", *reading)))
    for each in others:
        found |= version_of(each)
    return found
