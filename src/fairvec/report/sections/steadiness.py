"""How far an answer moves with other words, in sentences and as rows to draw."""

from dataclasses import dataclass

from fairvec.ground.level import significant
from fairvec.ground.numbers import number, p_value, percent, signed
from fairvec.ground.text.enumerations import listed
from fairvec.report.plots.scale import Scale, scale_of
from fairvec.report.sections.close_up import list_titles
from fairvec.report.words.effects import effect_of, is_difference, span_of, symbol
from fairvec.results import FrequencyControl, Result, Robustness, Swap


@dataclass(frozen=True)
class Look:
    """One row: where the effect lies with other words, its ends, and the same in words."""

    label: str
    note: str
    at: float | None
    ends: tuple[float, float] | None
    evident: bool
    title: str


def looks(result: Result) -> list[Look]:
    """Return the effect as it was found, then with shorter lists, other ones, equal frequency."""
    tried = result.robustness
    if tried is None:
        return []
    level = result.verdict.alpha
    found = [_as_found(result), _with_shorter_lists(result, tried)]
    found += [_with_other_lists(result, swap, level) for swap in tried.swaps]
    if tried.frequency:
        told = _effect_and_p(result, tried.frequency.effect, tried.frequency.p)
        evident = significant(tried.frequency.p, level)
        label = "At equal word frequency"
        found.append(Look(label, "", tried.frequency.effect, None, evident, f"{label}: {told}"))
    return found


def axis_of(result: Result, rows: list[Look]) -> Scale:
    """Return one axis that holds every row; d lies within ±2 for lists of equal size."""
    ends = [end for row in rows for end in row.ends or ()]
    usual = [0.0] if is_difference(result) else [-2.0, 2.0]
    return scale_of([*usual, *ends, *(row.at for row in rows if row.at is not None)])


def _as_found(result: Result) -> Look:
    interval = result.interval
    between = (
        f", {percent(interval.level)} interval {span_of(result, interval)}" if interval else ""
    )
    return Look(
        "With all words",
        "",
        result.effect,
        (interval.low, interval.high) if interval else None,
        significant(result.verdict.p, result.verdict.alpha),
        f"With all words: {_effect_and_p(result, result.effect, result.verdict.p)}{between}",
    )


def _with_shorter_lists(result: Result, tried: Robustness) -> Look:
    shown = f"significant in {percent(tried.significant)}{_expected(result)}"
    between = f"{effect_of(result, tried.low)} to {effect_of(result, tried.high)}"
    title = f"Shorter lists: {symbol(result)} mostly from {between}, {shown}"
    return Look("Shorter lists", shown, None, (tried.low, tried.high), False, title)


def _with_other_lists(result: Result, swap: Swap, level: float) -> Look:
    names = listed([list_titles(result).get(role, role) for role in swap.lists])
    told = _effect_and_p(result, swap.effect, swap.p)
    title = f"{names} of {swap.source}: {told}"
    return Look(swap.source, names, swap.effect, None, significant(swap.p, level), title)


def _effect_and_p(result: Result, effect: float, p: float) -> str:
    return f"{symbol(result)} = {effect_of(result, effect)}, p = {p_value(p)}"


def _expected(result: Result) -> str:
    """Return what lists so short would show of it anyway, if there is something and it is known."""
    share = result.robustness.expected if result.robustness else None
    if share is None or not significant(result.verdict.p, result.verdict.alpha):
        return ""
    return f", about {percent(round(share, 2))} expected of lists so short"


def about_robustness(result: Result) -> list[str]:
    """Return what was seen with shorter lists, other lists and at equal frequency."""
    tried = result.robustness
    if tried is None:
        return []
    titles = list_titles(result)
    swaps = [
        f"With the {listed([titles.get(role, role) for role in swap.lists])} of {swap.source}: "
        f"d = {signed(swap.effect)}, p = {p_value(swap.p)}."
        for swap in tried.swaps
    ]
    if tried.untried:
        swaps.append(f"Not tried, too few of their words found: {', '.join(tried.untried)}.")
    if tried.frequency:
        evident = significant(result.verdict.p, result.verdict.alpha)
        frequency = _about_frequency(tried.frequency, result.effect, evident)
    else:
        frequency = "Not compared at equal frequency: no word counts, or nothing left to compare."
    return [_about_draws(tried, _expected(result)), *swaps, frequency]


def _about_draws(tried: Robustness, expected: str) -> str:
    return (
        f"With {percent(tried.kept)} of the words drawn at random ({tried.draws} times) d lies "
        f"between {number(tried.low)} and {number(tried.high)} in {percent(0.95)} of the draws, "
        f"keeps its sign in {percent(tried.same_sign)} and is significant alone in "
        f"{percent(tried.significant)}{expected}."
    )


def _about_frequency(frequency: FrequencyControl, effect: float, evident: bool) -> str:
    explains = (
        "frequency may explain the effect"
        if frequency.accounts_for(effect)
        else "the evidence is lost, half of the effect or more is left"
        if frequency.explains
        else "frequency does not explain the effect"
    )
    return (
        f"Word scores and log frequency correlate at {number(frequency.correlation)}; at equal "
        f"frequency d = {signed(frequency.effect)}, p = {p_value(frequency.p)}"
        f"{f': {explains}' if evident else ''}."
    )
