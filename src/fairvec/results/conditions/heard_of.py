"""What a condition names and no row has: a slip in it would pass every check in silence."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches

from fairvec.ground.errors import MOST_NAMED
from fairvec.ground.text.enumerations import first_of
from fairvec.ground.text.visible_text import visible
from fairvec.results.conditions.known_values import NamedValues
from fairvec.results.rows import Plain

_POOLED = "pooled"


def unheard_of(
    asked: Iterable[NamedValues], rows: Sequence[Mapping[str, Plain]], closed: Collection[str]
) -> str:
    """Say which value a condition names that no row has, and what the rows have; else nothing.

    Of a `closed` column every value is known beforehand, and none of the rows may well have it (no
    test was skipped): there it is said only if no row has any value at all. The answers by category
    are the exception, because runs of older versions lack them.
    """
    for named in asked:
        column = named.column
        had = [*dict.fromkeys(row[column] for row in rows if row[column] is not None)]
        if column not in closed:
            texts = any(isinstance(value, str) for value in had)
            for value in named.values:
                if value not in had and (texts or isinstance(value, str)):
                    return f"No row has {column} {value!r}; {_offered(str(value), had)}."
        elif rows and not had and named.values:
            return f"No row has a value of {column}, so that nothing can be said of it" + (
                "; audit again with robust=True (--robust)." if column == "holds" else "."
            )
        elif {*named.values} == {_POOLED} and not named.denied and _POOLED not in had:
            return (
                f"No row has {column} {_POOLED!r}: this run has no answers by category; audit again"
                ", with bias tests that can be pooled."
            )
    return ""


def _offered(value: str, had: Sequence[Plain]) -> str:
    """Return what the rows have instead, the nearest first."""
    if not had:
        return "none has any"
    plain: dict[str, str] = {}
    for one in map(str, had):
        plain.setdefault(one.casefold(), one)
    near = [plain[one] for one in get_close_matches(value.casefold(), plain, n=MOST_NAMED)]
    names = [*dict.fromkeys([*near, *map(str, had)])]
    # A name with a comma in it would read as two.
    told = [repr(name) if "," in name else name for name in names]
    return f"the run has: {visible(first_of(told, MOST_NAMED), but='')}"
