"""What explains the bias of a grid of models, its trend, and how many words a test needs."""

from collections.abc import Iterator, Mapping, Sequence

from fairvec.core.format import (
    capitalize_first,
    format_number,
    format_p,
    format_p_bound,
    format_p_relation,
    format_signed,
    is_significant,
    join_words,
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
    """Return whether two levels differ, what explains most, and how far words alone reach."""
    largest = max(answer.explained, key=lambda term: term.omega2)
    name, several = capitalize_first(_factor_names(largest)), len(largest.factors) > 1
    explains = "together explain" if several else "explains"
    word_note = (
        f"; for scale, the 95 % interval of a single audit over its words is about "
        f"±{answer.word_spread:.2f}, and the standard deviation between seeds is "
        f"{answer.seed_spread:.2f}"
        if answer.word_spread is not None
        else ""
    )
    share, seeds = f"{largest.omega2:.0%}", f"{answer.residual:.0%}"
    reach = f"(95 % interval {largest.low:.0%} to {largest.high:.0%}){_chance_note(largest)}"
    if share == seeds:
        finding = f"{name} {explains} as much of the variance as seeds do: {share} {reach}"
    elif largest.omega2 < answer.residual:
        finding = (
            f"Seeds explain the most: {seeds} of the variance; {_factor_names(largest)} "
            f"{explains} {share} {reach}"
        )
    else:
        equal_terms = [
            _factor_names(term)
            for term in answer.explained
            if term is not largest and f"{term.omega2:.0%}" == share
        ]
        equal = f"; {join_words(equal_terms)} as much" if equal_terms else ""
        finding = (
            f"{name} {explains} the most: {share} of the variance {reach}{equal}; {seeds} is "
            "left to seeds"
        )
    return f"{_difference_clause(answer)}{finding}{word_note}."


def _difference_clause(answer: StudyAnswer) -> str:
    """Return whether two levels differ, where a study compares two levels of one factor alone."""
    terms = {term.factors: term for term in answer.explained}
    if len(answer.levels) != 2 or len(terms) != 1:
        return ""
    (term,) = terms.values()
    first, second = answer.levels
    difference = format_signed(first.mean - second.mean)
    figures = (
        f"{first.level} {format_signed(first.mean)}, {second.level} {format_signed(second.mean)}"
    )
    if term.p_holm is None:
        return f"{first.level} minus {second.level}: {difference} ({figures}). "
    p = f"Holm-corrected p {format_p_relation(term.p_holm, term.p_is_bound)}"
    if is_significant(term.p_holm, ALPHA):
        return f"{first.level} and {second.level} differ by {difference} ({figures}; {p}). "
    return (
        f"No difference is shown between {first.level} and {second.level}: {difference} "
        f"({figures}; {p}). "
    )


def _factor_names(term: VarianceTerm) -> str:
    return " and ".join(FACTOR_NAMES[factor] for factor in term.factors)


def _chance_note(term: VarianceTerm) -> str:
    """Say so where a share may well be what seeds alone would give a factor that does nothing."""
    if term.p_holm is not None:
        by_chance = not is_significant(term.p_holm, ALPHA)
        p = f"Holm p = {format_p(term.p_holm)}"
        return f", which chance alone could give ({p})" if by_chance else ""
    return ", which chance alone could give" if f"{term.low:.0%}" == "0%" else ""


def trend_sentence(trend: StudyTrend, candidates: int) -> str:
    """Say whether the effect rises or falls with time, by how much, and how surprising that is.

    `candidates` are the trends of its family, those that cannot be shown among them.
    """
    change = format_signed(trend.slope * (trend.last - trend.first))
    error = trend.seed_error * (trend.last - trend.first)
    figures = f"p {format_p_relation(trend.p, trend.p_is_bound)}"
    fewest = format_p(trend.smallest_p)
    if not is_significant(trend.smallest_p, ALPHA):
        verdict = f"So few corpora cannot show a trend (p cannot be below {fewest})"
    elif trend.p_holm is None:
        verdict = (
            f"No evidence of a trend, which so few corpora cannot show among {candidates} "
            f"{trend.family_of}"
        )
    else:
        if trend.family > 1:
            corrected = format_p_bound(trend.p_holm, trend.p_is_bound)
            figures += f", Holm-corrected over the {trend.family} {trend.family_of} {corrected}"
        verdict = (
            f"The effect {'rises' if trend.slope > 0 else 'falls'} over time"
            if is_significant(trend.p_holm, ALPHA)
            else "No evidence of a trend"
        )
    return (
        f"{verdict}: along a straight line it changes by {change} from {trend.first:g} to "
        f"{trend.last:g} (standard error {error:.2f} from seeds alone; {figures})."
    )


def level_label(level: LevelMean, factor: str) -> str:
    """Return the mean effect at one level of a factor, in one line."""
    return (
        f"{factor} {level.level}: mean {format_signed(level.mean)}, standard deviation "
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
        f"{_name_cells(missing, 'The')} without an effect, and leaving out a single level would "
        "not make the grid complete"
    )


def left_out_note(axis: str, level: str, missing: Sequence[CellKey]) -> str:
    """Return which level is left out, and the cells that lack an effect."""
    return f"{axis} {level} is left out, because {_name_cells(missing, 'the')} without an effect."


def _name_cells(missing: Sequence[CellKey], the: str) -> str:
    first = f"{the} cell ({missing[0]})"
    return f"{first} is" if len(missing) == 1 else f"{first} and {len(missing) - 1} more are"


def no_effect_reason(gap: str) -> str:
    """Return that no cell answers a test, and why one of them does not."""
    return f"No cell has an effect. In one of them: {gap}"


def unanswerable_note(test: str, metric: str, finding: str) -> str:
    """Return why a test will have no answer by a metric."""
    return f"{test} ({metric}) will have no answer: {finding}"


# What to know of a study.

CLIPPED_NOTE = "* An estimate below 0 is shown as 0, so that a line can add up to more than 100 %."


def study_title(varied: Sequence[str]) -> str:
    """Return the title of a study that has none, by the factors that it varies."""
    return f"How bias varies with {join_words(varied)}"


def undecided_note(least: float, seeds: int, enough: int) -> str:
    """Return that no factor can have a smaller p than the least, and how many seeds would do."""
    return (
        f"{pluralize(seeds, 'seed')} cannot show a difference: no p in this study can be below "
        f"{format_p(least)} (Holm-corrected). Train with {enough} seeds or more."
    )


def work_estimate(cells: int, cached: int, seconds: float) -> str:
    """Return how many cells there are, and about how long those that are not cached take."""
    count_text = pluralize(cells, "cell") + (f", {cached} of them done already" if cached else "")
    if cached == cells:
        return f"{count_text}: nothing left to train."
    time = f"{seconds / 60:.0f} min" if seconds > 60 else "a minute or less"
    return f"{count_text}; roughly {time} on one core."


def study_remarks(
    failed: int, cells: int, unequal: Mapping[str, int], tokens: int | None, uneven: Sequence[str]
) -> Iterator[str]:
    """Give what a reader must know: failed cells, corpora and words that differ.

    `unequal` has the words of each corpus if they differ much, where the plan takes as many
    `tokens` of each; `uneven` are the tests of which cells knew other words.
    """
    if failed:
        yield (
            f"{failed} of {cells} cells failed; tests that need them have no answer, or leave out "
            "that level and say so."
        )
    if unequal:
        lengths = ", ".join(f"{name} {words:,}" for name, words in unequal.items())
        remedy = (
            f"lower tokens to {min(unequal.values())}, or give more text,"
            if tokens
            else "set tokens in the plan"
        )
        yield (
            f"The corpora differ in length ({lengths} words), so that their size may be what the "
            f"corpus explains; {remedy} to make them equal."
        )
    if uneven:
        yield (
            f"Not every cell knew the same words of {', '.join(uneven)}, which is a further "
            "difference between cells."
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
    names = join_words(lists.titles)
    own = join_words([str(count) for count in lists.own])
    longest = lists.lengths[-1].words
    each = "words in each list" if len(lists.roles) > 1 else "words"
    share = f"{answer.power:.0%}"
    power = (
        f"{lists.for_power} {each} are enough for {share} of new lists to be significant"
        if lists.for_power
        else f"even with {longest} {each}, fewer than {share} of new lists are significant"
    )
    spread = (
        f"from {lists.for_spread} on, 95 % of their effects lie within ±{answer.within:g}"
        if lists.for_spread
        else f"95 % of their effects do not come within ±{answer.within:g}"
    )
    return f"{names} ({own} words here): {power}; {spread}.{_opposite_sign_warning(lists)}"


def _opposite_sign_warning(lists: ListSizeCurve) -> str:
    """Warn where lists as long as the test's own would often be significant with the other sign."""
    as_long = [point for point in lists.lengths if point.words >= max(lists.own)]
    if not as_long or as_long[0].new.opposite < _CHANCE_LEVEL:
        return ""
    point = as_long[0]
    return (
        f" Of new lists of {point.words} words, {point.new.opposite:.0%} are significant with the "
        "opposite sign."
    )


def _assumption(answer: SampleSizeReport, most: int) -> str:
    """Say what the answer takes for granted: that the true effect is the one seen."""
    observed = f"This assumes that the true effect is the one seen, {format_signed(answer.effect)}"
    interval = answer.interval
    if interval is None or interval.contains(0.0):
        return f"{observed}. No effect at all fits these words too, and then no length is enough."
    if answer.by_formula_at_end is None:
        return (
            f"{observed}. The end of its interval that is nearer to 0 is so small that it would "
            f"take more than {most:,} words in each target list."
        )
    end = min(interval.low, interval.high, key=abs)
    return (
        f"{observed}. If it were {format_signed(end)}, the nearer end of its interval, it would "
        f"take {answer.by_formula_at_end} words in each target list."
    )
