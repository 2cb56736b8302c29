"""What a gate found: its headline, what it could not decide and why, figures over all rows."""

from collections import Counter
from collections.abc import Sequence
from difflib import get_close_matches

from fairvec.core.errors import MOST_NAMED
from fairvec.core.format import join_first, pluralize
from fairvec.core.text import escape_control
from fairvec.results.conditions.checks import UnknownValue
from fairvec.results.conditions.expression import AggregateValue
from fairvec.results.conditions.gate import Gate, value_of
from fairvec.results.rows import Plain


def gate_headline(gate: Gate) -> str:
    """Return how many rows meet the condition, or whether all of them together do."""
    return f"{gate_count(gate)} {gate.condition.text}"


def gate_count(gate: Gate) -> str:
    """Return the headline without the condition, which follows it."""
    if gate.ruling.over_rows:
        says = "Met" if gate.is_met else "Not met" if gate.ruling.decides else "Not decided"
        return f"{says} over all {_rows(gate)}:"
    meet = "meets" if len(gate.met) == 1 else "meet"
    return f"{len(gate.met)} of {_rows(gate)} {meet}:"


def gate_remarks(gate: Gate) -> tuple[str, ...]:
    """Return of how many rows the condition could not be decided, and the notes of the gate."""
    undecided = 0 if gate.ruling.over_rows else len(gate.ruling.undecided)
    verb, them = ("has", "it") if undecided == 1 else ("have", "them")
    sentence = (
        f"{undecided} of {_rows(gate)} {verb} no value for the condition, which is not decided for "
        f"{them}."
    )
    return (*([sentence] if undecided else ()), *gate.notes)


def why_undecided(gate: Gate) -> str:
    """Return why nothing could be decided at all; nothing if something could."""
    condition = gate.condition
    if unknown := condition.unknown_value(gate.rows):
        return f"The condition {condition.text!r} cannot be decided: {unknown_sentence(unknown)}"
    if not condition.asks:
        return (
            f"The condition {condition.text!r} cannot be decided: it names no column, so every run "
            "would give the same answer; compare a column, as in verdict == 'biased'."
        )
    if gate.ruling.decides:
        return ""
    if not gate.ruling.over_rows:
        why = f"none of the {_rows(gate)} has a value for it"
    else:
        empty = [figure.text for figure in gate.ruling.figures if figure.value is None]
        why = f"no row has a value for {' and '.join(empty)}"
        why = why if empty else "its figures are not numbers"
    return (
        f"The condition {condition.text!r} cannot be decided, because {why}; check its spelling, "
        "or run the tests that it is about."
    )


def unknown_sentence(unknown: UnknownValue) -> str:
    """Return which value a condition names that no row has, and what the rows have."""
    column = unknown.column
    match unknown.cause:
        case "no such value":
            had = _values(str(unknown.value), unknown.had)
            return f"No row has {column} {unknown.value!r}; {had}."
        case "no value":
            return f"No row has a value of {column}, so the condition cannot be decided" + (
                "; audit again with robust=True (--robust)." if column == "holds" else "."
            )
        case "no pooled answer":
            return (
                f"No row has {column} {unknown.value!r}: this run has no answers by category; "
                "audit again with bias tests that can be pooled."
            )


def _values(value: str, had: Sequence[Plain]) -> str:
    """Return what the rows have instead, the nearest first."""
    if not had:
        return "none has any"
    plain: dict[str, str] = {}
    for text in map(str, had):
        plain.setdefault(text.casefold(), text)
    near = [plain[text] for text in get_close_matches(value.casefold(), plain, n=MOST_NAMED)]
    names = [*dict.fromkeys([*near, *map(str, had)])]
    # A name with a comma in it would read as two.
    quoted = [repr(name) if "," in name else name for name in names]
    return f"the run has: {escape_control(join_first(quoted, MOST_NAMED), but='')}"


LACKING = "It has no value for the condition."


def figure_line(gate: Gate, figure: AggregateValue) -> str:
    """Return a figure over rows in one line, with what it rests on."""
    return f"{figure.text} = {value_of(figure)}, {figure_basis(gate, figure)}"


def figure_basis(gate: Gate, figure: AggregateValue) -> str:
    """Return over how many rows a figure was taken, and of which kinds they are."""
    kinds = Counter(str(gate.rows[place].get("status")) for place in figure.rows)
    mixed = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
    lacking = pluralize(len(figure.left_out), "has", "have") + " no value"
    return (
        f"over {len(figure.rows)} of {_rows(gate)}"
        + (f" ({mixed})" if len(kinds) > 1 else "")
        + f"; {lacking}" * bool(figure.left_out)
    )


def _rows(gate: Gate) -> str:
    return pluralize(len(gate.rows), gate.things.removesuffix("s"))
