"""Sentences about frontiers."""

from collections.abc import Iterator

from fairvec.messages import frontiers as m
from fairvec.results.frontier import REFERENCE, FailedTrial, HeldOutCheck, HeldOutFold
from tests.messages.snapshot_files import Case
from tests.report.sample_records import SURVEY
from tests.results.toys import MODEL, effect, point

SOME = point("hard", 0.4, 0.993, displacement=0.1)
HARMFUL = point("pgd", 0.4, 1.0, calibrated=True, held_out=False).model_copy(
    update={
        "effects": (
            effect(0.1, 0.9, "introduced", "toy/two"),
            effect(1.0, -0.9, "reversed", "toy/one"),
        )
    }
)


def check(*shares: float, **changes: object) -> HeldOutCheck:
    """Return folds that are left these shares of their bias."""
    folds = tuple(
        HeldOutFold(tests=(f"toy/{place}",), chosen="hard at 1", before=1.0, left=share, harmed=())
        for place, share in enumerate(shares)
    )
    mean = sum(shares) / len(shares) if shares else None
    found = HeldOutCheck(apart="all-words", clean=True, folds=folds, share=mean)
    return found.model_copy(update=changes)


def sentences() -> Iterator[Case]:
    """Give every sentence about frontiers."""
    for name in (
        "NOTHING_TO_REMOVE",
        "NO_METHOD",
        "ALL_HARMFUL",
        "CHANCE_OBJECTION",
        "OTHER_MODELS_NOTE",
        "NOTHING_TO_CALIBRATE",
        "FITTED_ON_TESTED_WORDS",
    ):
        yield name, "always", str(getattr(m, name))
    for apart, clause in m.WHAT_IS_APART.items():
        yield "WHAT_IS_APART", apart, clause
    yield "nothing_lowers", "0.1", m.nothing_lowers(0.1)
    yield "nothing_keeps", "95 %", m.nothing_keeps(0.95, SOME)
    yield "least_bias", "2 of 3", m.least_bias(SOME, 2, 3, 0.95)
    yield "share_left", "some", m.share_left(SOME)
    yield "cannot_be_judged", "one fold", m.cannot_be_judged(SOME)
    yield (
        "does_not_hold_up",
        "chance",
        m.does_not_hold_up(SOME, check(0.4, 0.9), m.CHANCE_OBJECTION),
    )
    for apart in m.WHAT_IS_APART:
        held_out = check(0.4, 0.5, 0.6, apart=apart)
        yield "holds_up", apart, m.holds_up(held_out, "It leaves 40% of the bias.")
    yield "fold_spread", "two folds", m.fold_spread(check(0.4, 0.6).folds)
    yield "harm_objection", "two tests", m.harm_objection(["toy/one", "toy/two"])
    yield "gain_objection", "0.1", m.gain_objection(0.1)
    yield "all_words_fitted", "a reason", m.all_words_fitted("Nothing would be left.")
    yield "fold_caveats", "none", m.fold_caveats(check(0.4, 0.5, 0.6))
    yield "fold_caveats", "two folds, not clean", m.fold_caveats(check(0.4, 0.5, clean=False))
    yield "other_words_note", "none", m.other_words_note([])
    yield "other_words_note", "two", m.other_words_note(["toy/one", "toy/two"])
    yield "full_strength_note", "some is left", m.full_strength_note(0.31)
    yield "full_strength_note", "nothing is left", m.full_strength_note(0.001)
    yield "calibrated_note", "nothing is left", m.calibrated_note(-0.4, 0.61, 0.001)
    yield "calibrated_note", "they turn", m.calibrated_note(-0.4, 0.61, -0.05)
    for share in (1.0, 0.9998, 0.86, 1.02):
        yield "information_percent", str(share), m.information_percent(share)
    yield "point_harms", "none", [" ".join(harm) for harm in m.point_harms(SOME)]
    yield "point_harms", "two", [" ".join(harm) for harm in m.point_harms(HARMFUL)]
    yield "point_doubts", "both", m.point_doubts(HARMFUL)
    yield "point_warnings", "all", m.point_warnings(HARMFUL)
    yield "point_line", "loses", m.point_line(SOME)
    yield "point_line", "in folds", m.point_line(SOME, (0.2, 0.6))
    yield "point_line", "loses nothing", m.point_line(HARMFUL)
    yield "point_line", "gains", m.point_line(point("hard", 0.4, 1.02))
    for kind, one in {
        "of the front": SOME.model_copy(update={"on_front": True}),
        "no": SOME,
    }.items():
        yield "mark_label", kind, m.mark_label(one)
    yield "mark_label", "as it is", m.mark_label(point(REFERENCE, 1.0, 1.0))
    yield "remaining_bias", "some", m.remaining_bias(0.4, 1.0)
    yield "figures_list", "two", m.figures_list(["ws353", "simlex"])
    gap = FailedTrial(model=MODEL, concept="en/gender:pairs", method="ran", reason="No words.")
    yield "untried_note", "one", m.untried_note(gap)
    for recommended in (True, False):
        line = m.recommendation_line(SURVEY, recommended=recommended)
        yield "recommendation_line", f"recommended: {recommended}", line
    front = [SOME.model_copy(update={"on_front": True}), HARMFUL]
    yield "frontier_alt_text", "two points", m.frontier_alt_text(front, ["hard", "pgd"])
