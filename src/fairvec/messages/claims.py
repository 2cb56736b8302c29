"""What became of a paper's claims: decisions by our rule and by the paper's, and their page."""

from collections import Counter
from collections.abc import Iterator, Sequence

from fairvec.core.format import (
    MINUS,
    MOST_DIGITS,
    capitalize_first,
    format_p,
    format_p_relation,
    format_signed,
    format_signed_digits,
)
from fairvec.core.text import escape_control
from fairvec.messages.remarks import among_cut
from fairvec.messages.verdicts import excluded_effects
from fairvec.results import Interval
from fairvec.results.reproduction import ClaimGrade, ClaimLine, ReproductionRecords

CLAIM_GRADES: dict[ClaimGrade, str] = {
    "holds": "our figures show what the paper finds",
    "fails": "our figures show that it is not so on this model",
    "undecided": "our figures allow both",
    "not tried": "there are no figures; the reason is given",
}
"""Every grade of a claim, and what it says."""

# Why a claim holds, fails or is undecided: a sentence, and the figure as a table shows it.


def join_names(names: Sequence[str]) -> str:
    """Join names with commas; a name that contains a comma is quoted."""
    names = [name.removesuffix(".") for name in names]
    return ", ".join(quote(name) if "," in name else name for name in names)


def quote(name: str) -> str:
    """Return a name in quotation marks."""
    return f"\N{LEFT DOUBLE QUOTATION MARK}{name}\N{RIGHT DOUBLE QUOTATION MARK}"


def count_of(names: Sequence[str], of: int) -> str:
    """Return `2 of 5 (E1, E3)`, the names left out where they are all, or none."""
    some = f" ({join_names(names)})" if 0 < len(names) < of else ""
    return f"{len(names)} of {of}{some}"


def leaning_sentence(
    effect: float,
    interval: Interval | None,
    p: float,
    *,
    tests: int,
    as_claimed: bool | None,
    at_most: bool,
    alpha: float,
) -> str:
    """Return which way the words of one test lean, or those of several; None: not clearly."""
    interval_text = (
        f" (95 %: {format_signed(interval.low)} to {format_signed(interval.high)})"
        if interval
        else ""
    )
    p_text = format_p_relation(p, at_most, level=alpha)
    summary = f"{effect_label(effect)}{interval_text}, p {p_text}"
    subject = "The words" if tests == 1 else "Together the tests"
    if as_claimed is None:
        excluded = excluded_effects(interval)
        sentence = f"{subject} do not clearly lean either way: {summary}"
        return f"{sentence}{f'; {excluded}' if excluded else ''}."
    return f"{subject} lean {'as claimed' if as_claimed else 'the other way'}: {summary}."


def effect_label(*effects: float) -> str:
    """Return d +0.50, or d -0.10 to +0.50."""
    return f"d {' to '.join(format_signed(end) for end in dict.fromkeys(effects))}"


def each_sentence(
    along: Sequence[str],
    against: Sequence[str],
    ruled_out: Sequence[str],
    missing: Sequence[str],
    *,
    tests: int,
    effects: tuple[float, float],
    p: float,
    small: float,
    alpha: float,
) -> str:
    """Return how many tests are significant as claimed, and what speaks against the claim."""
    total = tests + len(missing)
    correction = ", corrected over the claim" if tests > 1 else ""
    own_p = f" (p = {format_p(p, level=alpha)})" if total == 1 else ""
    count = f"{count_of(along, total)} significant as claimed{correction}"
    return _sentence(
        capitalize_first(count) + own_p,
        effect_label(*effects),
        f"the other way: {join_names(against)}" if against else "",
        f"an effect of {small} or more is ruled out in {join_names(ruled_out)}"
        if ruled_out
        else "",
        _not_asked(missing),
    )


def greater_sentence(
    larger: int,
    pairs: int,
    difference: float,
    p: float,
    *,
    of_sizes: bool,
    as_claimed: bool | None,
    too_few: str,
    alpha: float,
) -> str:
    """Return in how many pairs a figure is larger as claimed; None: not clearly."""
    noun = "size" if of_sizes else "figure"
    summary = (
        f"the {noun} claimed to be larger is so in {larger} of {pairs} pairs, by "
        f"{format_signed(difference)} on average, p = {format_p(p, level=alpha)}"
    )
    if as_claimed is None:
        return f"Not clear: {summary}{too_few}."
    return f"{'It is so' if as_claimed else 'It is the other way'}: {summary}."


def too_few_pairs(fewest: int, *, differing: bool) -> str:
    """Return that so few pairs, or so few that differ, cannot decide, and how many could."""
    return f"; so few pairs{' that differ' if differing else ''} cannot decide: it takes {fewest}"


def greater_label(larger: int, pairs: int, difference: float) -> str:
    """Return +0.10 (3 of 5)."""
    return f"{format_signed(difference)} ({larger} of {pairs})"


BEFORE_AND_AFTER = ("before", "after")
"""What the two figures are called where they are those of one model and a change of it."""


def change_sentence(
    lead: str,
    before: float,
    after: float,
    difference: Interval | None,
    p: float | None,
    *,
    sides: tuple[str, str],
    is_share: bool,
    at_most: bool,
    alpha: float,
) -> str:
    """Return what became of a figure, after the finding that leads."""
    interval_text = (
        f" (95 %: {format_signed(difference.low)} to {format_signed(difference.high)})"
        if difference
        else ""
    )
    p_text = f", p {format_p_relation(p, at_most, level=alpha)}" if p is not None else ""
    change = f"a {_change_noun(sides)} of {format_signed(after - before)}"
    return (
        f"{lead}: {_figure(before, is_share)} {sides[0]}, {_figure(after, is_share)} {sides[1]}, "
        f"{change}{interval_text}{p_text}."
    )


def change_label(before: float, after: float, *, is_share: bool) -> str:
    """Return +0.50 to +0.10."""
    return f"{_figure(before, is_share)} to {_figure(after, is_share)}"


def _figure(value: float, is_share: bool) -> str:
    return f"{value:.3g}" if is_share else format_signed(value)


def _change_noun(sides: tuple[str, str]) -> str:
    return "change" if sides == BEFORE_AND_AFTER else "difference"


NOT_CLEAR = "Not clear"
TURNED = "It turned around and stayed about as large"


def nothing_lead(sides: tuple[str, str]) -> str:
    """Return that neither figure is worth a word."""
    where = "before and after" if sides == BEFORE_AND_AFTER else "in both"
    return f"Next to nothing {where}"


def nothing_to_change_lead(*, raised: bool) -> str:
    """Return that there was nothing to be lowered, or raised."""
    return f"Next to nothing to be {'raised' if raised else 'lowered'}"


def no_tie_lead(*, raised: bool) -> str:
    """Return that words lean the other way, where something should be lowered, or raised."""
    change = "raised" if raised else "lowered"
    return f"Words lean the other way, and there is no such tie to be {change}"


def neither_lead() -> str:
    """Return that neither of two effects goes the way in which one is said to be greater."""
    return "Neither leans that way by more than next to nothing"


def no_change_lead(sides: tuple[str, str], margin: float) -> str:
    """Return that every change that is allowed is within the margin."""
    return f"No {_change_noun(sides)} worth a word (none above {margin:g} is allowed)"


def changed_lead(*, smaller: bool) -> str:
    """Return that a figure is smaller, or larger."""
    return f"It is {'smaller' if smaller else 'larger'}"


def unchanged_sentence(
    within: Sequence[str],
    moved: Sequence[str],
    undecided: Sequence[str],
    missing: Sequence[str],
    *,
    total: int,
    margin: float,
    largest: tuple[str, float, Interval | None],
    agree: bool = False,
) -> str:
    """Return how many figures are kept within a margin, and the largest change: name, by, ends.

    With `agree` the two figures are those of two ways to ask, and differ.
    """
    name, change, ends = largest
    kept, further, noun = _kept_words(agree)
    span = f", {_format_change(ends.low)} to {_format_change(ends.high)}" if ends else ""
    return _sentence(
        f"{count_of(within, total)} {kept} within {margin:g}",
        f"{further}: {join_names(moved)}" if moved else "",
        f"open: {join_names(undecided)}" if undecided and len(undecided) < total else "",
        _not_asked(missing),
        f"the {'largest ' if total > 1 else ''}{noun} is {_format_change(change)} ({name}{span})",
    )


def unchanged_label(count: int, total: int, change: float, *, agree: bool = False) -> str:
    """Return 2 of 3 kept, largest change -0.1."""
    kept, _, noun = _kept_words(agree)
    return f"{count} of {total} {kept}, largest {noun} {_format_change(change)}"


def _kept_words(agree: bool) -> tuple[str, str, str]:
    return ("agree", "differ more", "difference") if agree else ("kept", "moved further", "change")


def _format_change(value: float) -> str:
    """Format a change with two digits, and with more where two would show zero."""
    return (
        format_signed(value) if abs(value) >= 0.095 or value == 0 else format_signed_digits(value)
    )


def threshold_sentence(
    passing: Sequence[str],
    failing: Sequence[str],
    without_interval: Sequence[str],
    missing: Sequence[str],
    *,
    total: int,
    limit: float,
    is_minimum: bool,
    nearest: tuple[str, float, Interval | None],
) -> str:
    """Return how many figures are on the right side of a limit, and the one nearest to it."""
    name, value, interval = nearest
    side = "at least" if is_minimum else "at most"
    ends = (interval.low, interval.high) if interval else ()
    span = f" ({' to '.join(near_limit(end, limit) for end in ends)})" if ends else ""
    text = near_limit(value, limit)
    several = (
        f"{count_of(passing, total)} {side} {limit:g}",
        f"the {'smallest' if is_minimum else 'largest'} is {text}{span} ({name})",
        f"on the wrong side: {join_names(failing)}" if failing else "",
    )
    return _sentence(
        *((f"{text}{span}, against {side} {limit:g}",) if total == 1 else several),
        _not_asked(missing),
        _unknown_uncertainty(without_interval, total),
    )


def best_sentence(
    better: Sequence[str],
    worse: Sequence[str],
    missing: Sequence[str],
    *,
    least: bool,
    total: int,
    is_there: bool,
    effects: tuple[float, float, float],
    rival: str,
) -> str:
    """Return beside how many other changes this one leaves a smaller, or larger, effect.

    `effects` are those without a change, with this one, and with the other that comes nearest.
    """
    original, own, nearest = map(format_signed, effects)
    noun, most = ("smaller", "smallest") if least else ("larger", "largest")
    change = f"d {original} without a change, {own} with this one"
    if not is_there:
        return f"No such tie to be {'lowered' if least else 'kept'}: {change}."
    return _sentence(
        f"Significantly {noun} than with {_others(better, total)}"
        f"{', corrected over the claim' if total > 1 else ''}",
        f"significantly the other way: {join_names(worse)}" if worse else "",
        f"{change}, {nearest} with {quote(rival)}, the {most} of the others",
        _not_asked(missing),
    )


Known = tuple[float, Interval | None]
"""An effect and its interval."""


def comparable_sentence(left: Known, right: Known, share: float) -> str:
    """Return an effect beside another, and the share of it that is asked for."""
    (first, _), (second, _) = left, right
    what = "nothing to compare with"
    if second > 0:
        what = f"{first / second:.2f} of it, where at least {share:g} is claimed"
    return f"{_with_interval(*left)} beside {_with_interval(*right)}: {what}."


def _with_interval(value: float, ends: Interval | None) -> str:
    span = f" ({format_signed(ends.low)} to {format_signed(ends.high)})" if ends else ""
    return f"d {format_signed(value)}{span}"


def comparable_label(left: float, right: float) -> str:
    """Return +0.50 against +1.20."""
    return f"{format_signed(left)} against {format_signed(right)}"


def found_sentence(found: int, words: int) -> str:
    """Return how many words of a list are in a vocabulary."""
    return f"{found} of the {words} words are in the vocabulary."


def near_limit(value: float, limit: float, digits: int = 3) -> str:
    """Format a number with three digits, and with more where three cross the limit."""
    text = f"{value:.{digits}g}"
    crosses = _sign(float(text) - limit) != _sign(value - limit)
    if digits < MOST_DIGITS and crosses:
        return near_limit(value, limit, digits + 1)
    return text.replace("-", MINUS)


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def _unknown_uncertainty(without_interval: Sequence[str], total: int) -> str:
    if not without_interval:
        return ""
    if len(without_interval) == total:
        return "by the number alone, no uncertainty is known"
    return f"no uncertainty is known of {join_names(without_interval)}"


def _not_asked(missing: Sequence[str]) -> str:
    return f"not asked: {join_names(missing)}" if missing else ""


def _sentence(*parts: str) -> str:
    return f"{'; '.join(part for part in parts if part)}."


# By the paper's own rule.

OUR_RULE: dict[str, str] = {
    "leans": "ours is two-sided, and pools several tests over all their words",
    "each": "ours is two-sided and corrected over the tests of the claim",
    "greater": "ours asks whether chance could make as much of a difference",
    "lowered": "ours asks whether chance could change as much, and if there was a bias to lower",
    "raised": "ours asks whether chance could change as much",
    "not-lowered": "ours asks that a change worth a word is ruled out, and for a bias to lower",
    "kept": "ours asks that the intervals of the changes are within the margin",
    "agree": "ours asks that the intervals of the differences are within the margin",
    "threshold": "ours asks for the interval of each figure",
    "least": "ours asks of each difference whether chance could make it",
    "most": "ours asks of each difference whether chance could make it",
    "comparable": "ours asks for the intervals of both effects",
    "absent": "ours is the same",
}
"""In what our rule differs from a paper's, by the kind of test."""

LARGER_AS_CLAIMED = "larger as claimed"


def moved_at_most(margin: float, *, agree: bool = False) -> str:
    """Return how far figures may have moved, or may differ."""
    return f"{'differ' if agree else 'moved'} by {margin:g} at the most"


def all_of_sentence(names: Sequence[str], total: int, what: str) -> str:
    """Return of how many figures something is so."""
    return f"{count_of(names, total)} {what}."


def with_missing(sentence: str, missing: Sequence[str]) -> str:
    """Return a sentence with the names of what was not asked."""
    return f"{sentence.removesuffix('.')}; {_not_asked(missing)}."


def paper_p_sentence(
    significant: Sequence[str],
    tests: int,
    effects: tuple[float, float],
    p: float | None,
    alpha: float,
) -> str:
    """Return how many tests are below the paper's level; where it prints no p, as claimed."""
    label = effect_label(*effects)
    if tests > 1:
        what = f"below {alpha:g}" if p is not None else "with the sign claimed"
        return f"{count_of(significant, tests)} {what}, {label}."
    return f"{label}." if p is None else f"{label}, p = {format_p(p, level=alpha)}."


def mean_change_sentence(
    before: float,
    after: float,
    figures: int,
    *,
    sides: tuple[str, str],
    is_share: bool,
    is_there: bool,
) -> str:
    """Return the mean effect, or the figure, before and after."""
    noun = "" if is_share else "mean d " if figures > 1 else "d "
    first, second = _figure(before, is_share), _figure(after, is_share)
    change = f"{noun}{first} {sides[0]}, {second} {sides[1]}"
    return f"{change}{'' if is_there else '; there is no such tie to be lowered'}."


def rivals_sentence(
    better: Sequence[str],
    total: int,
    effects: tuple[float, float],
    *,
    least: bool,
    is_there: bool,
) -> str:
    """Return beside how many other changes this one leaves a smaller, or larger, mean effect."""
    original, own = map(format_signed, effects)
    noun = "nearer to zero" if least else "larger"
    change = f"mean d {original} without a change, {own} with this one"
    if not is_there:
        return f"{change}; there is no such tie to be {'lowered' if least else 'kept'}."
    return f"{change}, {noun} than with {_others(better, total)}."


def _others(names: Sequence[str], total: int) -> str:
    some = f" ({join_names(names)})" if 0 < len(names) < total else ""
    return f"{len(names)} of {total} others{some}"


def our_lists_note(*, against: bool) -> str:
    """Return that a claim rests on lists of ours, or that figures speak against it with them."""
    lead = "That speaks against it with our lists, and" if against else "It rests on our lists:"
    return f"{lead} the paper's are published nowhere."


def our_models_note(models: Sequence[str], *, against: bool) -> str:
    """Return that a claim rests on models of ours, and whether figures speak against it on them."""
    names = join_names(models)
    kind = "models" if len(models) > 1 else "a model"
    lead = "That speaks against it" if against else "It rests"
    return f"{lead} on {kind} trained with fairvec ({names}), not on the paper's."


def way_label(choice: str, value: str) -> str:
    """Return what a paper does another way than the default, by the choice and its own value."""
    match choice:
        case "sides":
            return "p one-sided"
        case "ties":
            return f"ties counted by {value}"
        case "effect_size":
            return f"{value} effect size"
        case "repeats":
            return "repeated words counted each time"
        case "permute":
            return f"{value} permuted"
        case "fit":
            return "the published settings of the method"
        case "moved":
            return "only X and Y debiased" if value == "targets" else "only X, Y, A and B debiased"
    return f"{choice} {value}"


# The claims of a page.

CLAIM_TITLE = "Does what the paper finds hold here?"
CLAIM_CONVENTION = (
    "Claims are answered by fairvec's default convention: caliskan effect size, p two-sided, exact "
    "wherever the lists allow, whole models debiased. A stand-in answers for itself and not for "
    "the paper's model. Each claim is decided alone, at 0.05. The paper's own rule is its own "
    "convention without correction or interval: signs, its p, and figures as they are."
)
PAPERS_OWN = " (the paper's own)"
_VERBS = {"holds": "holds", "fails": "fails", "undecided": "is undecided"}


def claim_sentences(records: ReproductionRecords, *, quoting: bool = False) -> Iterator[str]:
    """Yield a sentence on each answer: the grade, why, by which test and over how many of what.

    With `quoting` also where the paper says so, in its own words, and how that became a test.
    """
    for claim in records.claims:
        sentence = (
            f"{capitalize_first(claim.grade)} on {format_models(claim)}. "
            f"{claim.sentence}{_method_sentence(claim)}{_paper_rule_sentence(claim)}"
        )
        if claim.among is not None:
            sentence += f" {capitalize_first(among_cut(claim.among))}."
        if claim.grade == "not tried":
            sentence = f"Not tried. {claim.sentence}"
        source = f" ({claim.where}{f': {quote(claim.quote)}' if claim.quote else ''})"
        yield escape_control(
            f"{sentence}{source} {claim.reading}".strip() if quoting else sentence, but=""
        )


def _paper_rule_sentence(claim: ClaimLine) -> str:
    """Say what the paper's rule makes of it, and, where the two differ, why."""
    by_paper = claim.by_paper
    if by_paper.grade == "not tried":
        return f" By the paper's rule: not tried. {by_paper.sentence}"
    sentence = f" By the paper's rule it {_VERBS[by_paper.grade]}{_reason(claim)}: "
    sentence += by_paper.sentence
    if claim.papers_way:
        sentence += f" Its figures: {join_names(claim.papers_way)}."
    if claim.printed and claim.printed.grade == "fails":
        sentence += f" The printed figures do not show it: {claim.printed.sentence}"
    return sentence


def _reason(claim: ClaimLine) -> str:
    """Say why the two grades differ; nothing where they do not."""
    match claim.differs_by:
        case "figures":
            return "; its own figures make the difference"
        case "rule" if claim.test in ("leans", "each") and claim.by_paper.grade == "fails":
            return "; ours leaves open what is not found"
        case "rule" if claim.by_paper.figures.get("asked") == 1 and claim.test == "leans":
            return "; ours is two-sided"
        case "rule":
            rule = OUR_RULE.get(claim.test, "")
            return f"; {rule}" if rule else ""
    return ""


def _method_sentence(claim: ClaimLine) -> str:
    if claim.n is None:
        return ""
    unit = claim.unit if claim.n != 1 else claim.unit.removesuffix("s")
    return f" Test: {claim.how}; {claim.n:,} {unit}."


def format_models(claim: ClaimLine) -> str:
    """Name the models that answer, and say whether the paper measured them; empty without one."""
    if not claim.models:
        return ""
    return f"{', '.join(claim.models)}{PAPERS_OWN if claim.papers_own_model else ''}"


def format_paper_grade(claim: ClaimLine) -> str:
    """Return the grade by the paper's rule with its figure, and its p where it has one."""
    by_paper = claim.by_paper
    p = "" if by_paper.p is None else f"p = {format_p(by_paper.p)}"
    figures = ", ".join(filter(None, (by_paper.shown, p)))
    return f"{by_paper.grade} ({figures})" if figures else by_paper.grade


def claim_summary(records: ReproductionRecords) -> str:
    """Count the answers by grade."""
    ours, papers = (
        ", ".join(f"{counts[grade]} {grade}" for grade in CLAIM_GRADES if counts[grade])
        for counts in (
            Counter(claim.grade for claim in records.claims),
            Counter(claim.by_paper.grade for claim in records.claims),
        )
    )
    return f"{ours}; by the paper's own rule {papers}"
