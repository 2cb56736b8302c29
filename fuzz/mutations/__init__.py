"""How a good file becomes a bad one: by bytes, by lines, by values, inside archives and pickles."""

from fuzz.mutations.every_kind import mutated

__all__ = ["mutated"]
