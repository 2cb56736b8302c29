"""Which library an object comes from."""

from typing import Any


def comes_from(held: Any, package: str, *has: str) -> bool:
    """Say whether an object's class, or one it is made from, is of a package and has these names.

    So a class of the user's own that builds on one of the package counts too.
    """
    homes = {made.__module__.partition(".")[0] for made in type(held).__mro__}
    return package in homes and all(hasattr(held, name) for name in has)


def called(held: Any) -> str:
    """Return what an object is, as in list, or Doc2Vec of gensim."""
    kind = type(held)
    home = kind.__module__.partition(".")[0]
    return kind.__name__ if home in ("builtins", "__main__") else f"{kind.__name__} of {home}"
