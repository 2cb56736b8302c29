"""Sentences about studies and sample sizes."""

from collections.abc import Iterator
from typing import Any

from fairvec.messages import studies as m
from fairvec.results import Interval
from fairvec.results.identities import MetricIdentity
from fairvec.results.sample_size import (
    LengthResult,
    ListSizeCurve,
    ResampledLists,
    SampleSizeReport,
)
from fairvec.results.study import (
    CellKey,
    FailedCell,
    IncompleteAnswer,
    LevelMean,
    StudyAnswer,
    StudyTrend,
    VarianceTerm,
)
from tests.messages.snapshot_files import Case
from tests.results.toys import MODEL, TEST

CELLS = [CellKey(corpus="news", model="glove", window=5, dim=50, seed=seed) for seed in (0, 1, 2)]


def term(omega2: float, *factors: Any, **changes: Any) -> VarianceTerm:
    """Return a factor that explains this share."""
    fields = {
        "factors": factors or ("corpus",),
        "df": 1,
        "sum_of_squares": 1.0,
        "eta2": omega2,
        "omega2": omega2,
        "low": 0.1,
        "high": 0.9,
        "component": 0.1,
        "was_negative": False,
        "p": None,
        "p_holm": None,
        "smallest_p": None,
        "exact": True,
    }
    return VarianceTerm(**(fields | changes))


def answer(residual: float, *terms: VarianceTerm, word_spread: float | None = 0.4) -> StudyAnswer:
    """Return the answer of a test with these factors."""
    return StudyAnswer(
        test=TEST,
        metric="weat",
        mean=0.5,
        levels=(),
        seed_spread=0.1,
        word_spread=word_spread,
        explained=terms,
        residual=residual,
        seed_component=0.01,
        left_out="",
        sentence="",
    )


def two_corpora(explained: VarianceTerm) -> StudyAnswer:
    """Return the answer of a study that compares two corpora."""
    levels = tuple(
        LevelMean(factor="corpus", level=level, mean=mean, seed_spread=0.1, cells=4)
        for level, mean in (("news", 0.9), ("books", 0.4))
    )
    return answer(0.2, explained).model_copy(update={"levels": levels})


def trend(**changes: Any) -> StudyTrend:
    """Return a trend over three years."""
    fields = {
        "slope": 0.01,
        "first": 1990.0,
        "last": 2010.0,
        "seed_error": 0.002,
        "p": 0.02,
        "p_holm": 0.04,
        "family": 1,
        "family_of": "bias tests of toy",
        "smallest_p": 0.001,
        "exact": True,
        "sentence": "",
    }
    return StudyTrend(**(fields | changes))


def lists(**changes: Any) -> ListSizeCurve:
    """Return how certainty grows with the targets."""
    new = ResampledLists(significant=0.9, opposite=0.0, low=0.1, high=0.9)
    length = LengthResult(words=8, sublists=None, new=new)
    fields = {
        "roles": ("x", "y"),
        "titles": ("men", "women"),
        "own": (8, 8),
        "lengths": (length,),
        "for_power": 8,
        "for_spread": 16,
        "sublists_for_power": None,
        "sublists_for_spread": None,
    }
    return ListSizeCurve(**(fields | changes))


def report(curve: ListSizeCurve, low: float | None, at_end: int | None) -> SampleSizeReport:
    """Return how many words a test needs, by its interval from `low` on."""
    interval = low is not None and Interval(
        low=low, high=1.5, level=0.95, kind="bootstrap", method="toy"
    )
    return SampleSizeReport(
        test=TEST,
        model=MODEL,
        metric=MetricIdentity(
            name="weat", needs=("x", "y", "a", "b"), neutral=0.0, meaning="d", settings={}
        ),
        effect=0.9,
        p=0.01,
        interval=interval or None,
        alpha=0.05,
        power=0.8,
        within=0.2,
        draws=40,
        seed=0,
        lists=(curve,),
        by_formula=20,
        by_formula_at_end=at_end,
        sentence="",
        versions={},
    )


def sentences() -> Iterator[Case]:
    """Give every sentence about studies and sample sizes."""
    for kind, one in (
        ("most", answer(0.2, term(0.6))),
        ("most, by chance", answer(0.2, term(0.6, p=0.3, p_holm=0.33))),
        ("most, from 0 on", answer(0.2, term(0.6, low=0.0))),
        ("most, two alike", answer(0.2, term(0.4), term(0.4, "dim"))),
        ("most, together", answer(0.2, term(0.6, "model", "window"))),
        ("as much as seeds", answer(0.4, term(0.4))),
        ("seeds alone", answer(0.7, term(0.2))),
        ("no interval over words", answer(0.2, term(0.6), word_spread=None)),
        ("two corpora differ", two_corpora(term(0.6, p=0.01, p_holm=0.02))),
        ("two corpora, not shown", two_corpora(term(0.6, p=0.3, p_holm=0.33))),
        ("two corpora, no p", two_corpora(term(0.6))),
    ):
        yield "study_sentence", kind, m.study_sentence(one)
    for kind, line in (
        ("shown", trend()),
        ("shown, falling, of several", trend(slope=-0.01, family=3)),
        ("falling", trend(slope=-0.01)),
        ("not shown", trend(p=0.4, p_holm=0.8)),
        ("too few corpora", trend(smallest_p=0.3)),
        ("too few among so many", trend(p_holm=None)),
        ("a bound", trend(p=0.001, p_holm=0.003, family=3, exact=False)),
    ):
        yield "trend_sentence", kind, m.trend_sentence(line, 4)
    decided = term(0.6, p=0.01, p_holm=0.02)
    for kind, one_term in {"seeds": None, "no p": term(0.6), "a p": decided}.items():
        yield "share_text", kind, m.share_text(0.6, one_term, clipped=kind == "no p")
    refused = IncompleteAnswer(test=TEST, metric="weat", reason="No x was found.")
    yield "refusal_note", "one", m.refusal_note(refused)
    failed = FailedCell(place=CELLS[0], reason="It broke.")
    yield "failure_note", "one", m.failure_note(failed)
    level = LevelMean(factor="window", level="5", mean=0.5, seed_spread=0.1, cells=3)
    yield "level_label", "window", m.level_label(level, "Window")
    for count in (1, 3):
        cells = CELLS[:count]
        yield "unbalanced_finding", f"{count} cells", m.unbalanced_finding(cells)
        yield "left_out_note", f"{count} cells", m.left_out_note("seed", "2", cells)
    yield "no_effect_reason", "a gap", m.no_effect_reason("Only 1 of 4 x were found.")
    yield "unanswerable_note", "a test", m.unanswerable_note("toy/one", "weat", "No x was found.")
    yield "study_title", "two factors", m.study_title(["corpus", "window"])
    yield "undecided_note", "a third", m.undecided_note(1 / 3, 2, 4)
    for kind, facts in (("all kept", (4, 4, 0.0)), ("short", (4, 1, 5.0)), ("long", (4, 0, 600.0))):
        yield "work_estimate", kind, m.work_estimate(*facts)
    unequal = {"news": 1_000, "books": 2_000}
    yield "study_remarks", "all", m.study_remarks(1, 4, unequal, None, ["toy/one"])
    yield "study_remarks", "tokens are set", m.study_remarks(0, 4, unequal, 5_000, [])
    yield "study_remarks", "none", m.study_remarks(0, 4, {}, None, [])
    yield "CLIPPED_NOTE", "always", m.CLIPPED_NOTE
    opposite = ResampledLists(significant=0.2, opposite=0.1, low=0.1, high=0.9)
    unsure = lists(lengths=(LengthResult(words=8, sublists=None, new=opposite),), roles=("x",))
    for kind, found in (
        ("an end that needs 60 words", report(lists(), 0.3, 60)),
        ("an end next to 0", report(lists(), 0.001, None)),
        ("no interval", report(lists(), None, None)),
        ("not enough", report(lists(for_power=None, for_spread=None), -0.1, None)),
        ("the other sign", report(unsure, -0.1, None)),
    ):
        yield "sample_size_heading", kind, m.sample_size_heading(found)
        yield "sample_size_sentence", kind, m.sample_size_sentence(found, 10_000)
