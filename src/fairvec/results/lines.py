"""One record as one readable line: what `str(record)` and `print(record)` give."""

from collections.abc import Iterable

from fairvec.ground.numbers import number, p_value, signed
from fairvec.ground.text.one_line import on_one_line
from fairvec.results.certainty import Interval, PairedP, Verdict
from fairvec.results.identities import (
    Convention,
    MetricIdentity,
    ModelIdentity,
    TestIdentity,
)

ACROSS = {
    "ranks": "across geometries, by ranks",
    "standardised": "across geometries, by standardised leanings",
}
"""What a figure is called that was put in one unit to compare models of different geometries."""


def asked_line(test: TestIdentity, model: str, metric: str, answer: Iterable[str]) -> str:
    """Return `test on model (metric): answer`; parts that say nothing are left out."""
    said = ", ".join(part for part in answer if part)
    return on_one_line(f"{test.id} on {model} ({metric}): {said}")


def effect_said(effect: float, interval: Interval | None, convention: Convention) -> str:
    """Return d = +1.23 [0.61, 1.84]; a difference has three digits, as a page writes it."""
    name, digits = ("d", 2) if convention.standardised else ("difference", 3)
    return f"{name} = {signed(effect, digits)} {in_brackets(interval, digits)}".rstrip()


def in_brackets(interval: Interval | None, digits: int = 2) -> str:
    """Return [0.61, 1.84], and nothing where there is no interval."""
    return f"[{number(interval.low, digits)}, {number(interval.high, digits)}]" if interval else ""


def verdict_said(verdict: Verdict) -> str:
    """Return the two-sided p behind a verdict, alone and corrected."""
    corrected = "" if verdict.p_holm is None else f", {p_value(verdict.p_holm)} corrected (Holm)"
    return f"p = {p_value(verdict.p)}{corrected}"


def metric_said(metric: str, described: MetricIdentity | None) -> str:
    """Return the metric's name; that of a figure in one unit across geometries says so."""
    across = described.settings.get("across_geometries") if described else None
    return f"{metric} {ACROSS[across]}" if across in ACROSS else metric


EFFECTS = ("bias", "meaningful-encoding", "baseline")
"""Kinds of tests whose figure is an effect, with a sign."""


def figure_said(figure: float | None, test: TestIdentity, convention: Convention | None) -> str:
    """Return one figure of a change: an effect has a sign, a figure of usefulness has none."""
    if figure is None:
        return "none"
    if test.kind not in EFFECTS:
        return number(figure, 3)
    return signed(figure, 3 if convention and not convention.standardised else 2)


def paired_said(paired: PairedP | None) -> str:
    """Return the p of a paired test, or nothing."""
    return f"paired p = {p_value(paired.value)}" if paired else ""


def models_said(before: ModelIdentity, after: ModelIdentity) -> str:
    """Return the names of the model before and after, or the one that both have."""
    return " → ".join(dict.fromkeys([before.name, after.name]))
