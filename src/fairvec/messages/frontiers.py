"""Which point of a frontier to take and why, what a point costs, and what a reader must know."""

from collections import Counter
from collections.abc import Sequence
from math import ceil, log10

from fairvec.core.format import format_number, format_percent, pluralize
from fairvec.results.frontier import (
    NOTHING,
    REFERENCE,
    FailedTrial,
    FoldSeparation,
    FrontierPoint,
    FrontierSummary,
    HeldOutCheck,
    HeldOutFold,
)
from fairvec.results.verdicts import HARMFUL

WHAT_IS_APART: dict[FoldSeparation, str] = {
    "all-words": "that share no words",
    "targets-anywhere": "that share attribute words but no target words",
    "targets": "that share no target words, although targets of one may be attributes of another",
}
"""What two folds do not share, as clauses of a sentence about folds."""


# The recommendation.

NOTHING_TO_REMOVE = (
    "No bias test of the concept is significant in this model, so these tests cannot show that "
    "anything was removed."
)
NO_METHOD = "No method could be tried on this model."
ALL_HARMFUL = (
    "Every method and strength that was tried reverses an effect or introduces one. Leave the "
    "model as it is."
)


def nothing_lowers(noticeable: float) -> str:
    """Return that no harmless point lowers the bias by so much."""
    return (
        f"Nothing that was tried lowers the mean |d| by {noticeable:g} or more without reversing "
        "or introducing an effect. Leave the model as it is."
    )


def nothing_keeps(keep: float, best: FrontierPoint) -> str:
    """Return that no helpful point keeps so much of the information, and which keeps most."""
    return (
        f"Nothing that lowers the bias without harm keeps {keep:.0%} of the information, so leave "
        f"the model as it is. {best.label} keeps the most, {best.information_kept:.1%}, and leaves "
        f"{share_left(best)} of the mean |d|."
    )


def least_bias(best: FrontierPoint, among: int, tried: int, keep: float) -> str:
    """Return why a point is chosen among the points that are acceptable, of all that were tried."""
    return (
        f"On the tests it was chosen by, it leaves {share_left(best)} of the mean |d| and keeps "
        f"{best.information_kept:.1%} of the information. Of {tried} points tried, {among} lower "
        f"the bias, keep {keep:.0%} and neither reverse nor introduce an effect; of these it "
        "leaves the least."
    )


def share_left(point: FrontierPoint) -> str:
    """Return the share of the bias that a point leaves of the tests it was measured by."""
    return f"{point.bias_left / point.bias_before:.0%}"


_ADD_TESTS = "Add tests with words of their own ('fairvec suites new')"


def cannot_be_judged(chosen: FrontierPoint) -> str:
    """Return that there are no other tests to judge a choice by."""
    return (
        f"{_own_tests_clause(chosen)}, but every other test shares words with these, so the choice "
        f"cannot be checked. {_ADD_TESTS}."
    )


def does_not_hold_up(chosen: FrontierPoint, held_out: HeldOutCheck, objection: str) -> str:
    """Return why what the tests choose is not recommended; the objection ends the sentence."""
    return (
        f"{_held_out_clause(held_out)}, but {objection} {_own_tests_clause(chosen)}, which says "
        f"nothing about other tests. {_ADD_TESTS}, or leave the model as it is."
    )


def holds_up(held_out: HeldOutCheck, reason: str) -> str:
    """Return how a choice does on tests it has not seen, and why it is chosen."""
    times = Counter(fold.chosen or "nothing" for fold in held_out.folds)
    choices = [
        f"{label}{f' ({count} times)' if count > 1 else ''}" for label, count in times.items()
    ]
    return (
        f"{_held_out_clause(held_out)}. {reason} The choices without a fold: {', '.join(choices)}."
    )


def _own_tests_clause(chosen: FrontierPoint) -> str:
    share = share_left(chosen)
    return f"{chosen.label} leaves {share} of the mean |d| on the tests it was chosen by"


def _held_out_clause(held_out: HeldOutCheck) -> str:
    return (
        f"Choices made without a fold leave {held_out.share:.0%} of the mean |d| on it "
        f"({fold_spread(held_out.folds)} {WHAT_IS_APART[held_out.apart]})"
    )


def fold_spread(folds: Sequence[HeldOutFold]) -> str:
    """Return the share left of the best and of the worst fold: 31% to 85% on 3 folds."""
    shares = [fold.share for fold in folds if fold.share is not None]
    return f"{min(shares):.0%} to {max(shares):.0%} on {len(folds)} folds"


def harm_objection(tests: Sequence[str]) -> str:
    """Return in which tests of the folds a choice did harm."""
    return f"it reverses or introduces an effect in {', '.join(tests)}."


def gain_objection(noticeable: float) -> str:
    """Return that a choice does not lower the bias of the folds by so much."""
    return f"it does not lower the mean |d| there by {noticeable:g} or more."


CHANCE_OBJECTION = "with so few folds, so far apart, that may be chance."


# What else a reader must know.

OTHER_MODELS_NOTE = (
    "Other models are shown for comparison; they are neither on the front nor recommended. Their "
    "information kept leaves out neighbours, which differ between any two trainings on one text, "
    "so compare it kind by kind. To see what a new training changes by itself, add a model that "
    "differs only in its seed."
)
NOTHING_TO_CALIBRATE = "No effect of the concept is significant, so nothing was calibrated."
FITTED_ON_TESTED_WORDS = (
    "The methods were fitted on all words of the concept, including tested ones."
)


def all_words_fitted(reason: str) -> str:
    """Return that no tested word could be left out of the fitting, after the reason why."""
    return f"{reason} All of them were therefore used for fitting."


def fold_caveats(held_out: HeldOutCheck) -> tuple[str, ...]:
    """Return the limits of the folds that a reader must know."""
    notes = []
    if len(held_out.folds) == 2:
        notes.append(
            "The tests form only two folds, so each is judged by a choice that rests on the other "
            "alone; two such figures say little about further tests."
        )
    if not held_out.clean:
        notes.append(
            "The folds are not independent: the methods were fitted on their words or calibrated "
            "on them, so the bias left on them may be understated too."
        )
    return tuple(notes)


def other_words_note(tests: Sequence[str]) -> str:
    """Return in which tests another model has other words; nothing if in none."""
    return f"It found other words in {', '.join(tests)}." if tests else ""


SMALLEST_VISIBLE = 0.005
"""A smaller effect is 0.00 in two digits."""


def full_strength_note(remaining: float) -> str:
    """Return what is left of the effects on average where calibration ends at full strength."""
    if remaining >= SMALLEST_VISIBLE:
        return (
            f"Even at full strength the effects keep their direction, with {remaining:.2f} left on "
            "average."
        )
    return "At full strength the effects are 0.00 on average."


def calibrated_note(at_full_strength: float, strength: float, left: float) -> str:
    """Return what is left of the effects on average at the strength that calibration found."""
    at_strength = (
        f"at {strength:.3f} they are 0.00"
        if abs(left) < SMALLEST_VISIBLE
        else f"the sign changes at {strength:.3f}, where they are {format_number(left)}"
    )
    return (
        f"At full strength the effects are reversed, {format_number(at_full_strength)} on average; "
        f"{at_strength}."
    )


# One point.


def information_percent(share: float) -> str:
    """Return 99.5, with as many digits as it takes not to call a share 100 that lost something."""
    lost = 1 - share
    digits = max(1, ceil(-log10(100 * abs(lost)))) if NOTHING < abs(lost) < 1 else 1
    return f"{100 * share:.{digits}f}"


def point_harms(point: FrontierPoint) -> list[tuple[str, str]]:
    """Return the kinds of harm that a point does, the worst first, each with its tests."""
    return [
        (kind.upper(), ", ".join(tests))
        for kind in HARMFUL
        if (tests := [effect.test for effect in point.harms if effect.kind == kind])
    ]


def point_doubts(point: FrontierPoint) -> list[str]:
    """Return why the tests cannot judge a point."""
    fitted = [] if point.held_out else ["fitted on tested words"]
    return [*fitted, *(["calibrated on these tests"] if point.calibrated else [])]


def point_warnings(point: FrontierPoint) -> list[str]:
    """Return what speaks against a point, the worst first."""
    return [*(" ".join(harm) for harm in point_harms(point)), *point_doubts(point)]


def point_line(point: FrontierPoint, spread: tuple[float, float] | None = None) -> str:
    """Return one point in one line, for its mark."""
    loss = 1 - point.information_kept
    amount = "nothing" if abs(loss) <= NOTHING else format_percent(abs(loss))
    lost = f"{'gains' if loss < -NOTHING else 'loses'} {amount} of the information"
    movement = (
        ""
        if point.displacement is None
        else f", moves words by {format_number(point.displacement)}"
    )
    warning_notes = "".join(f" · {text}" for text in point_warnings(point))
    left = f"leaves {format_number(point.bias_left)} of {format_number(point.bias_before)}"
    folds = (
        f" ({format_number(spread[0])} to {format_number(spread[1])} in the folds)"
        if spread
        else ""
    )
    return f"{point.label} · {left}{folds}, {lost}{movement}{warning_notes}"


def frontier_alt_text(points: Sequence[FrontierPoint], methods: Sequence[str]) -> str:
    """Return the drawing in one sentence, for screen readers."""
    front = ", ".join(point.label for point in points if point.on_front)
    return (
        f"Bias left against information lost: {pluralize(len(points), 'point')} of "
        f"{pluralize(len(methods), 'method')} and the model as it is; on the front: {front}."
    )


def mark_label(point: FrontierPoint) -> str:
    """Return the label of a mark: a point of the front is named with its strength."""
    if point.method == REFERENCE:
        return "as it is"
    return f"{point.method} {point.strength:.3g}" if point.on_front else point.method


def remaining_bias(left: float, before: float) -> str:
    """Return how much of the bias is left, and of how much."""
    return f"{left:.2f} of {before:.2f}"


def figures_list(tests: Sequence[str]) -> str:
    """Return how many figures a kind of information rests on, and of which tests."""
    return f"{pluralize(len(tests), 'figure')}: {', '.join(tests)}"


def untried_note(gap: FailedTrial) -> str:
    """Return which method was not tried, and why."""
    return f"Not tried: {gap.method}: {gap.reason}"


def recommendation_line(survey: FrontierSummary, *, recommended: bool) -> str:
    """Return the recommendation, or why there is none."""
    return f"{'Recommended: ' if recommended else ''}{survey.recommendation}"
