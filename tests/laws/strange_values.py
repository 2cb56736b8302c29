"""What a stranger may have put in the place of a value, and putting it there."""

from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

Place = tuple[str | int, ...]

TEXTS = [
    *("", " ", "x", "nan", "1e999", "\n", "\x00", "\x1b[31m", "\u202e", "<script>", "=cmd", "%s"),
    *("[bold]", "x" * 3000, "\N{GRINNING FACE}", "a", "b", "y", "words", "pair", "en", "zz"),
    *("bias", "category", "concept", "movement", "similarity", "weat", "none", "poincare-x3"),
]
NUMBERS = [0, -1, 1, 5, 2**62, -(2**62), 2**70, 10**299, 0.5, -0.5, 1.5, 1e-320, 1e299, -1e299, 1e9]

STRANGE: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.sampled_from(NUMBERS) | st.sampled_from(TEXTS),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["", "x", "name", "action"]), inner, max_size=2)
    ),
    max_leaves=4,
)


def places(value: Any, here: Place = ()) -> Iterator[Place]:
    """Yield the place of every part of a value; of long lists those of the first three."""
    if here:
        yield here
    if isinstance(value, dict):
        for name, part in value.items():
            yield from places(part, (*here, name))
    elif isinstance(value, list):
        for number, part in enumerate(value[:3]):
            yield from places(part, (*here, number))


def at(value: Any, place: Place) -> Any:
    """Return the part of a value at a place."""
    for name in place:
        value = value[name]
    return value


def with_part(value: Any, place: Place, part: Any) -> Any:
    """Return a copy in which another part stands at a place."""
    if not place:
        return part
    copied: Any = dict(value) if isinstance(value, dict) else list(value)
    copied[place[0]] = with_part(copied[place[0]], place[1:], part)
    return copied


def without_part(value: Any, place: Place) -> Any:
    """Return a copy that lacks the part at a place."""
    *outer, last = place
    holder = at(value, tuple(outer))
    kept: Any = dict(holder) if isinstance(holder, dict) else list(holder)
    del kept[last]
    return with_part(value, tuple(outer), kept)


def with_any_part_replaced(
    value: Any, data: st.DataObject, others: st.SearchStrategy[Any] | None = None
) -> Any:
    """Return a copy in which one part is missing or another: of its kind, strange, of `others`."""
    place = data.draw(st.sampled_from([*places(value)]))
    ways = {"of its kind": of_its_kind(at(value, place)), "strange": STRANGE}
    if others is not None:
        ways["other"] = others
    way = data.draw(st.sampled_from(["of its kind", *ways, "missing"]))
    if way == "missing":
        return without_part(value, place)
    return with_part(value, place, data.draw(ways[way]))


def of_its_kind(value: Any) -> st.SearchStrategy[Any]:
    """Return what may well be read in the place of a value: strange, but of its type."""
    if isinstance(value, bool):
        return st.booleans()
    if isinstance(value, int | float):
        return st.sampled_from(NUMBERS)
    if isinstance(value, str):
        return st.sampled_from(TEXTS)
    if isinstance(value, list):
        return st.sampled_from([[], value[:1], value * 2, value[::-1]])
    if isinstance(value, dict):
        return st.sampled_from(
            [{}, dict([*value.items()][:-1]), {f"{k} ": v for k, v in value.items()}]
        )
    return STRANGE
