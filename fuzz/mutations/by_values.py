"""Mutations of what JSON or TOML says: a value of another type, a key more or less."""

import json
import math
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

from fuzz.mutations.odd_values import DEEP, HUGE, LONG, odd_value

Place = tuple[Any, Any]
"""A dict or list, and a key or index of it."""


def of_values(tree: Any, random: Random) -> tuple[Any, str]:
    """Return a copy of a tree with one change, and what it was."""
    tree = {"": deepcopy(tree)}
    places = list(_places(tree))
    holder, key = random.choice(places)
    value, way = holder[key], random.randrange(10)
    if way < 4:
        new = odd_value(random)
        description = f"{key!r} is {str(new)[:30]!r}"
    elif way == 4:
        # A value that stands elsewhere is of the right kind and in the wrong place.
        other, where = random.choice(places)
        new, description = deepcopy(other[where]), f"{key!r} as {where!r}"
    elif way == 5:
        new, description = _near(value, random), f"{key!r} changed a little"
    elif way == 6 and isinstance(value, dict):
        new, description = (
            {**value, str(odd_value(random)): odd_value(random)},
            f"a key more in {key!r}",
        )
    elif way == 7 and isinstance(value, list) and value:
        new, description = value * random.choice((2, 50)), f"{key!r} several times"
    elif way == 8 and isinstance(value, dict | list):
        new, description = type(value)(), f"{key!r} empty"
    elif holder is tree:
        new, description = [value], "in a list"
    else:
        del holder[key]
        return tree[""], f"without {key!r}"
    holder[key] = new
    return tree[""], description


def near_values(tree: Any, random: Random) -> tuple[Any, str]:
    """Return a copy of a tree in which one value is another one of its kind."""
    tree = {"": deepcopy(tree)}
    places = [place for place in _places(tree) if not isinstance(place[0][place[1]], dict | list)]
    if not places:
        return tree[""], "nothing to change"
    holder, key = random.choice(places)
    value = holder[key]
    same_type = [other[where] for other, where in places if type(other[where]) is type(value)]
    if isinstance(value, bool):
        new: Any = not value
    elif isinstance(value, int | float):
        new = random.choice((value + 1, value * 2, -value, type(value)(0), *same_type))
    elif isinstance(value, str):
        new = random.choice((value[:-1], value + "x", value.title(), *same_type))
    else:
        new = value
    holder[key] = new
    return tree[""], f"{key!r} is {str(new)[:30]!r}"


def as_json(tree: Any, *, indent: int | None = None) -> bytes:
    """Write a tree as JSON, with what no writer writes put in afterwards."""
    text = json.dumps(tree, ensure_ascii=False, indent=indent)
    return with_unwritable(text).encode("utf-8", "surrogatepass")


def with_unwritable(text: str) -> str:
    """Put numbers that are too long and lists that are too deep into written text."""
    return text.replace(f'"{LONG}"', HUGE).replace(f'"{DEEP}"', "[" * 3000 + "]" * 3000)


def as_toml(tree: dict[str, Any]) -> bytes:
    """Write a tree as TOML: every table on one line."""
    text = "".join(f"{_key(name)} = {_toml(value)}\n" for name, value in tree.items())
    return with_unwritable(text).encode("utf-8", "surrogatepass")


def _key(name: Any) -> str:
    return json.dumps(str(name))


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        inner = ", ".join(f"{_key(name)} = {_toml(each)}" for name, each in value.items())
        return f"{{{inner}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return '""' if value is None else json.dumps(value, ensure_ascii=False, default=str)


def _places(tree: Any) -> Iterator[Place]:
    for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
        yield tree, key
        if isinstance(value, dict | list):
            yield from _places(value)


def _near(value: Any, random: Random) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int) and abs(value) > 10**300:  # no float, and perhaps no text
        return random.choice((-value, value + 1, [value]))
    if isinstance(value, int | float):
        return random.choice((-value, value + 1, value * 1000, value / 7, str(value), [value]))
    if isinstance(value, str):
        # A text may itself be JSON, as the metadata of a safetensors file is.
        if value[:1] in '[{"' or value.isdigit():
            try:
                return as_json(of_values(json.loads(value), random)[0]).decode("utf-8", "replace")
            except ValueError:
                pass
        return random.choice((value[:-1], value * 2, value.upper(), value + "\x1b", list(value)))
    return random.choice(([value], {"x": value}, str(value)))
