"""The versions of everything that could change a digit of a model's figures."""

import platform
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from fairvec.core.plugins import version_of
from fairvec.encoders import Encoder, Representation
from fairvec.version import __version__


def versions(model: Representation | None = None, *others: Any) -> dict[str, str]:
    """Return the versions of fairvec, Python and the packages that computed the figures.

    `others` are the metrics or methods that were used; plugins have a version too.
    """
    packages = ("torch", "transformers", "tokenizers") if isinstance(model, Encoder) else ()
    found = dict(_versions(("numpy", "scipy", *packages)))
    for plugin in others:
        found |= version_of(plugin)
    return found


@cache
def _versions(packages: tuple[str, ...]) -> dict[str, str]:
    versions = {"fairvec": __version__, "python": platform.python_version()}
    for name in packages:
        with suppress(PackageNotFoundError):
            versions[name] = version(name)
    return versions
