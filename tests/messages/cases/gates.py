"""Sentences about gates."""

from collections.abc import Iterator

from fairvec.messages import gates as m
from fairvec.results import Outcome
from fairvec.results.conditions.checks import UnknownValue
from fairvec.results.conditions.expression import Condition
from fairvec.results.conditions.gate import Gate, results_gate
from tests.messages.snapshot_files import Case
from tests.results.toys import measured, skipped

RUN: list[Outcome] = [measured(), measured(effect=-0.2, p=0.4, p_holm=0.8, test="toy/three")]


def gate(condition: str, *more: Outcome) -> Gate:
    """Return the gate of a small run."""
    return results_gate([*RUN, *more], Condition(condition))


def sentences() -> Iterator[Case]:
    """Give every sentence about gates."""
    for kind, one in (
        ("one row", gate("effect > 0.5")),
        ("no row", gate("effect > 1.5")),
        ("all together, met", gate("count(effect > 0.5) > 0")),
        ("all together, not met", gate("mean(effect) > 1")),
        ("all together, not decided", gate("mean(effect, where=p > 0.9) > 1")),
    ):
        yield "gate_headline", kind, m.gate_headline(one)
    yield "gate_count", "one row", m.gate_count(gate("effect > 0.5"))
    yield "gate_remarks", "one row undecided", m.gate_remarks(gate("effect > 0.5", skipped()))
    two = (skipped(), skipped(test="toy/four"))
    yield "gate_remarks", "two rows undecided", m.gate_remarks(gate("effect > 0.5", *two))
    for kind, one in (
        ("decided", gate("effect > 0.5")),
        ("no such value", gate("category == 'gendre'")),
        ("no column", gate("1 > 2")),
        ("no row has it", gate("effect_before > 0.5")),
        ("no figure has it", gate("mean(effect_before) > 0.5")),
    ):
        yield "why_undecided", kind, m.why_undecided(one)
    for unknown in (
        UnknownValue("no such value", "category", "gendre", ("gender", "race, religion")),
        UnknownValue("no such value", "category", "gendre"),
        UnknownValue("no value", "holds", None),
        UnknownValue("no value", "change", None),
        UnknownValue("no pooled answer", "status", "pooled"),
    ):
        kind = f"{unknown.cause} of {unknown.column}, {len(unknown.had)} had"
        yield "unknown_sentence", kind, m.unknown_sentence(unknown)
    yield "LACKING", "always", m.LACKING
    over = gate("mean(effect) > 1", skipped())
    (figure,) = over.ruling.figures
    yield "figure_line", "one left out", m.figure_line(over, figure)
    yield "figure_basis", "one left out", m.figure_basis(over, figure)
