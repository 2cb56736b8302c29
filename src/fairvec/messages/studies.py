"""What explains the bias of a grid of models, its trend, and how many words a test needs."""

from collections.abc import Iterator, Mapping, Sequence

from fairvec.core.format import (
    format_number,
    format_p,
    format_p_bound,
    format_signed,
    is_significant,
    pluralize,
)
from fairvec.core.text import escape_control
from fairvec.messages.figures import format_interval
from fairvec.results.sample_size import ListSizeCurve, SampleSizeReport
from fairvec.results.study import (
    ALPHA,
    CellKey,
    Factor,
    FailedCell,
    IncompleteAnswer,
    LevelMean,
    StudyAnswer,
    StudyTrend,
    VarianceTerm,
)

FACTOR_NAMES: dict[Factor, str] = {
    "corpus": "corpus",
    "model": "kind of model",
    "window": "window",
    "dim": "dimension",
}
"""The factors as a sentence has them."""


# The answer of one test.


def study_sentence(answer: StudyAnswer) -> str:
    """Return what explains most, what is left to seeds, and how far words alone reach."""
    largest = max(answer.explained, key=lambda term: term.omega2)
    largest_name = _factor_names(largest)
    together = " together" if len(largest.factors) > 1 else ""
    word_note = (
        f"; an audit's interval over words reaches ±{answer.word_spread:.2f}, the spread between "
        f"seeds is {answer.seed_spread:.2f}"
        if answer.word_spread is not None
        else ""
    )
    explains = " together explain" if together else " explains"
    share = f"{largest.omega2:.0%}"
    interval_text = f"({largest.low:.0%} to {largest.high:.0%}){_chance_note(largest)}"
    if share == f"{answer.residual:.0%}":
        return (
            f"{largest_name.capitalize()}{explains} as much as seeds alone: {share} of the "
            f"variance {interval_text}{word_note}."
        )
    if largest.omega2 < answer.residual:
        return (
            f"Seeds alone make {answer.residual:.0%} of the variance, more than any factor "
            f"({largest_name}{together} {share}){word_note}."
        )
    equal_terms = [
        term for term in answer.explained if term is not largest and f"{term.omega2:.0%}" == share
    ]
    equal_text = f", {', '.join(map(_factor_names, equal_terms))} as much" if equal_terms else ""
    return (
        f"{largest_name.capitalize()}{explains} most: {share} of the variance "
        f"{interval_text}{equal_text}, seeds {answer.residual:.0%}{word_note}."
    )


def _factor_names(term: VarianceTerm) -> str:
    return " and ".join(FACTOR_NAMES[factor] for factor in term.factors)


def _chance_note(term: VarianceTerm) -> str:
    """Say so where a share may well be what seeds alone would give a factor that does nothing."""
    if term.p_holm is not None:
        by_chance = not is_significant(term.p_holm, ALPHA)
        p = f"Holm p = {format_p(term.p_holm)}"
        return f", which chance alone could make ({p})" if by_chance else ""
    return ", which chance alone could make" if f"{term.low:.0%}" == "0%" else ""


def trend_sentence(trend: StudyTrend, candidates: int) -> str:
    """Say by how much the line rises or falls over the whole time, and how surprising that is.

    `candidates` are the trends of its family, those that cannot be shown among them.
    """
    change = format_signed(trend.slope * (trend.last - trend.first))
    error = trend.seed_error * (trend.last - trend.first)
    figures = f"p {format_p_bound(trend.p, trend.p_is_bound)}"
    if not is_significant(trend.smallest_p, ALPHA):
        verdict = (
            f"so few corpora cannot show a trend: no order of them has p below "
            f"{format_p(trend.smallest_p)}"
        )
    elif trend.p_holm is None:
        verdict = (
            f"no evidence of a trend, which so few corpora cannot show among the {candidates} "
            f"{trend.family_of}"
        )
    else:
        if trend.family > 1:
            corrected = format_p_bound(trend.p_holm, trend.p_is_bound)
            figures += f", Holm {corrected} over the {trend.family} {trend.family_of}"
        verdict = (
            "more than chance would give in another order of the corpora"
            if is_significant(trend.p_holm, ALPHA)
            else "no evidence of a trend"
        )
    return (
        f"From {trend.first:g} to {trend.last:g} the effect changes by {change} along a straight "
        f"line (±{error:.2f} by seeds alone): {verdict} ({figures})."
    )


def level_label(level: LevelMean, factor: str) -> str:
    """Return the mean effect at one level of a factor, in one line."""
    return (
        f"{factor} {level.level}: mean {format_signed(level.mean)}, spread "
        f"between seeds {format_number(level.seed_spread)}"
    )


def share_text(share: float, term: VarianceTerm | None, *, clipped: bool) -> str:
    """Return a share of the variance, marked if it came out below 0, with the p of its factor."""
    star = "*" if clipped else ""
    p = (
        f" (Holm p {format_p_bound(term.p_holm, term.p_is_bound)})"
        if term and term.p_holm is not None
        else ""
    )
    return f"{share:.0%}{star}{p}"


def refusal_note(answer: IncompleteAnswer) -> str:
    """Return which test has no answer, and why."""
    return f"Refused: {answer.test.id} ({answer.metric}): {answer.reason}"


def failure_note(cell: FailedCell) -> str:
    """Return which cell failed, and why."""
    return f"Failed: {cell.place}: {cell.reason}"


# What a study lacks.


def unbalanced_finding(missing: Sequence[CellKey]) -> str:
    """Return that no level can be left out so that the table is whole."""
    return (
        f"{_name_cells(missing, 'The')} without an effect, and no single level holds all of these "
        "cells that could be left out"
    )


def left_out_note(axis: str, level: str, missing: Sequence[CellKey]) -> str:
    """Return which level is left out, and the cells that lack an effect."""
    return f"{axis} {level} is left out: {_name_cells(missing, 'the')} without an effect."


def _name_cells(missing: Sequence[CellKey], the: str) -> str:
    first = f"{the} cell ({missing[0]})"
    return f"{first} is" if len(missing) == 1 else f"{first} and {len(missing) - 1} more are"


def no_effect_reason(gap: str) -> str:
    """Return that no cell answers a test, and why one of them does not."""
    return f"No cell gives an effect: {gap}"


def unanswerable_note(test: str, metric: str, finding: str) -> str:
    """Return why a test will have no answer by a metric."""
    return f"{test} ({metric}) cannot be asked: {finding}"


# What to know of a study.

CLIPPED_NOTE = (
    "* What came out below 0 is given as 0, so that a line can add up to more than 100 %."
)


def study_title(varied: Sequence[str]) -> str:
    """Return the title of a study that has none, by the factors that it varies."""
    return f"What bias owes to {', '.join(varied)}"


def undecided_note(least: float) -> str:
    """Return that a study decides nothing, where no factor can have a smaller p than the least."""
    return (
        "This study cannot decide which factors matter: the smallest p that so few models can "
        f"give, Holm-corrected over the study, is {format_p(least)}. Train with more seeds."
    )


def work_estimate(cells: int, cached: int, seconds: float) -> str:
    """Return how many cells there are, and about how long those that are not cached take."""
    count_text = pluralize(cells, "cell") + (f", {cached} of them kept already" if cached else "")
    if cached == cells:
        return f"{count_text}: nothing is left to train."
    time = f"{seconds / 60:.0f} min" if seconds > 60 else "a minute or less"
    return f"{count_text}; very roughly {time} on one core."


def study_remarks(
    failed: int, cells: int, unequal: Mapping[str, int], tokens: int | None, uneven: Sequence[str]
) -> Iterator[str]:
    """Give what a reader must know: failed cells, corpora and words that differ.

    `unequal` has the words of each corpus if they differ much, where the plan takes as many
    `tokens` of each; `uneven` are the tests of which cells knew other words.
    """
    if failed:
        yield (
            f"{failed} of {cells} cells failed; tests that need them are refused, or "
            "asked without that level, and say so."
        )
    if unequal:
        lengths = ", ".join(f"{name} {words:,}" for name, words in unequal.items())
        remedy = (
            f"lower tokens to {min(unequal.values())}, or give more text,"
            if tokens
            else "set tokens in the plan"
        )
        yield (
            f"The corpora differ in length ({lengths} words), so that what the corpus explains may "
            f"be its size; {remedy} to make them equal."
        )
    if uneven:
        yield (
            f"Not every cell knew the same words of {', '.join(uneven)}, so that cells differ by "
            "that too."
        )


# How many words a test needs.


def sample_size_heading(answer: SampleSizeReport) -> str:
    """Return of which test and model lists are drawn, and what it finds with all its words."""
    interval = f" ({format_interval(answer.interval)})" if answer.interval else ""
    title = escape_control(f"{answer.test.id} on {answer.model.name}", but="")
    return f"{title}: d {format_signed(answer.effect)}{interval}, p {format_p(answer.p)}"


_CHANCE_LEVEL = 0.025
"""The share of lists that is significant with one given sign where there is no effect."""


def sample_size_sentence(answer: SampleSizeReport, most: int) -> str:
    """Return what new lists would show, and under which assumption.

    `most` is the longest length by the formula that is counted.
    """
    return " ".join(
        [*(_list_sentence(answer, lists) for lists in answer.lists), _assumption(answer, most)]
    )


def _list_sentence(answer: SampleSizeReport, lists: ListSizeCurve) -> str:
    names = " and ".join(lists.titles)
    own = " and ".join(map(str, lists.own))
    longest = lists.lengths[-1].words
    in_each = "in each of them " if len(lists.roles) > 1 else ""
    power = (
        f"{lists.for_power} words {in_each}make {answer.power:.0%} of new lists significant"
        if lists.for_power
        else (
            f"up to {longest} words {in_each}do not make {answer.power:.0%} of new lists "
            "significant"
        )
    )
    spread = (
        f"from {lists.for_spread} on their d lies within ±{answer.within:g}"
        if lists.for_spread
        else f"their d does not come within ±{answer.within:g}"
    )
    return f"{names} ({own} words here): {power}, and {spread}.{_opposite_sign_warning(lists)}"


def _opposite_sign_warning(lists: ListSizeCurve) -> str:
    """Warn where lists as long as the test's own would often be significant with the other sign."""
    as_long = [point for point in lists.lengths if point.words >= max(lists.own)]
    if not as_long or as_long[0].new.opposite < _CHANCE_LEVEL:
        return ""
    point = as_long[0]
    return (
        f" Of new lists of {point.words} words {point.new.opposite:.0%} are significant with the "
        "other sign."
    )


def _assumption(answer: SampleSizeReport, most: int) -> str:
    """Say what the answer takes for granted: that the true effect is the one seen."""
    observed = f"That holds if the true effect is the one seen, {format_signed(answer.effect)}"
    interval = answer.interval
    if interval is None or interval.contains(0.0):
        return (
            f"{observed}; these words do not rule out that there is none, and then no length is "
            "enough."
        )
    if answer.by_formula_at_end is None:
        return (
            f"{observed}; the nearer end of its interval is next to 0, and for that target lists "
            f"would need more than {most:,} words each."
        )
    end = min(interval.low, interval.high, key=abs)
    return (
        f"{observed}; were it {format_signed(end)}, the nearer end of its interval, target lists "
        f"would need {answer.by_formula_at_end} words each."
    )
