"""How far an answer moves with other words, in sentences."""

from fairvec.ground.level import significant
from fairvec.report.words.numbers import number, p_value, percent, signed
from fairvec.report.words.wording import listed
from fairvec.results import FrequencyControl, Result, Robustness


def about_robustness(result: Result) -> list[str]:
    """Return what was seen with shorter lists, other lists and at equal frequency."""
    tried = result.robustness
    if tried is None:
        return []
    titles = {group.role: group.title for group in result.coverage}
    swaps = [
        f"With the {listed([titles[role] for role in swap.lists])} of {swap.source}: "
        f"d = {signed(swap.effect)}, p = {p_value(swap.p)}."
        for swap in tried.swaps
    ]
    if tried.untried:
        swaps.append(f"Not tried, too few of their words found: {', '.join(tried.untried)}.")
    if tried.frequency:
        evident = significant(result.verdict.p, result.verdict.alpha)
        frequency = _about_frequency(tried.frequency, evident)
    else:
        frequency = "Not compared at equal frequency: no word counts, or nothing left to compare."
    return [_about_draws(tried), *swaps, frequency]


def _about_draws(tried: Robustness) -> str:
    return (
        f"With {percent(tried.kept)} of the words drawn at random ({tried.draws} times) d lies "
        f"between {number(tried.low)} and {number(tried.high)} in {percent(0.95)} of the draws, "
        f"keeps its sign in {percent(tried.same_sign)} and is significant alone in "
        f"{percent(tried.significant)}."
    )


def _about_frequency(frequency: FrequencyControl, evident: bool) -> str:
    explains = "may explain the effect" if frequency.explains else "does not explain the effect"
    return (
        f"Word scores and log frequency correlate at {number(frequency.correlation)}; at equal "
        f"frequency d = {signed(frequency.effect)}, p = {p_value(frequency.p)}"
        f"{f': frequency {explains}' if evident else ''}."
    )
