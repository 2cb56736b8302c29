"""A claim by the paper's own rule: on its printed figures, and on ours beside our rule."""

from hypothesis import given
from hypothesis import strategies as st

from fairvec.messages.claims import OUR_RULE
from fairvec.papers import PAPERS, claims_of, load_paper, records_of, reproduce
from fairvec.papers.claims.decide import Estimate
from fairvec.papers.claims.kinds import (
    BestMethod,
    CellSelector,
    ChangedEffect,
    ClaimTest,
    ComparableEffect,
    EachEffect,
    GreaterFigure,
    PooledEffect,
    ThresholdFigures,
    UnchangedFigures,
)
from fairvec.papers.claims.paper_rules import decide_as_paper, decide_printed

CELLS = CellSelector(table="any")
effects = st.floats(-2, 2).map(lambda value: round(value, 3))
chances = st.floats(0, 1)


def grade(test: ClaimTest, *rows: tuple[Estimate, ...], missing: tuple[str, ...] = ()) -> str:
    return decide_as_paper(test, rows, 0.05, missing).grade


def figure(value: float, p: float | None = None) -> Estimate:
    return Estimate("one", value, p=p)


def test_what_the_papers_print_shows_what_they_say() -> None:
    """But for two sentences of the thesis, and five about what it prints in words."""
    printed = {
        claim.id: decide_printed(claim, load_paper(name))
        for name in PAPERS
        for claim in claims_of(name)
    }
    assert {id_ for id_, decision in printed.items() if decision and decision.grade != "holds"} == {
        "science-arts-is-biased-everywhere",
        "fasttext-is-more-biased-than-skipgram",
    }
    assert {id_ for id_, decision in printed.items() if decision is None} == {
        "one-direction-has-most-of-the-variance",
        "a-line-parts-specific-from-neutral",
        "a-line-parts-occupations",
        "debiasing-lowers-bias",
        "lyrics-have-no-science-word",
    }


@given(effects, chances)
def test_one_test_is_decided_by_its_sign_and_its_p(effect: float, p: float) -> None:
    leans = PooledEffect(kind="leans", cells=CELLS, sign="+")
    each = EachEffect(kind="each", cells=CELLS, sign="+")
    expected = "holds" if effect > 0 and p < 0.05 else "fails"
    assert grade(leans, (figure(effect, p),)) == grade(each, (figure(effect, p),)) == expected
    without = "holds" if effect > 0 else "fails"
    assert grade(each, (figure(effect),)) == without


@given(st.lists(st.tuples(effects, chances), min_size=1, max_size=5))
def test_each_asks_more_than_any(tests: list[tuple[float, float]]) -> None:
    rows = [(figure(*one),) for one in tests]
    each, leans = (
        grade(test, *rows)
        for test in (
            EachEffect(kind="each", cells=CELLS, sign="+"),
            PooledEffect(kind="leans", cells=CELLS, sign="+"),
        )
    )
    assert each != "holds" or leans == "holds"
    turned = [(figure(-value, p),) for value, p in tests]
    minus = EachEffect(kind="each", cells=CELLS, sign="-")
    assert grade(minus, *turned) == each


def test_pairs_are_compared_figure_by_figure() -> None:
    greater = GreaterFigure(kind="greater", left=CELLS, right=CELLS)
    by_size = GreaterFigure(kind="greater", left=CELLS, right=CELLS, by="size")
    assert grade(greater, (figure(2), figure(1)), (figure(0.2), figure(0.1))) == "holds"
    assert grade(greater, (figure(2), figure(1)), (figure(0.1), figure(0.2))) == "fails"
    assert grade(by_size, (figure(-2), figure(1))) == "holds"
    kept = UnchangedFigures(kind="kept", before=CELLS, after=CELLS, margin=0.01)
    assert grade(kept, (figure(0.7), figure(0.705))) == "holds"
    assert grade(kept, (figure(0.7), figure(0.705)), (figure(0.7), figure(0.8))) == "fails"
    limit = ThresholdFigures(kind="threshold", cells=CELLS, at_least=1)
    assert [grade(limit, (figure(value),)) for value in (1.0, 0.99)] == ["holds", "fails"]


@given(effects, effects)
def test_a_lower_d_is_less_bias_where_there_is_some(before: float, after: float) -> None:
    """By sign, not by size; where words lean the other way nothing is lowered, or kept."""
    there = before > 0
    for kind, holds in (
        ("lowered", after < before),
        ("raised", after > before),
        ("not-lowered", after >= before),
    ):
        test = ChangedEffect(kind=kind, sign="+", before=CELLS, after=CELLS)
        expected = ("holds" if holds else "fails") if there else "undecided"
        assert grade(test, (figure(before), figure(after))) == expected
        mirrored = test.model_copy(update={"sign": "-"})
        assert grade(mirrored, (figure(-before), figure(-after))) == expected
    share = ChangedEffect(kind="lowered", before=CELLS, after=CELLS)
    assert grade(share, (figure(before), figure(after))) == ("holds" if after < before else "fails")


def test_the_best_is_nearest_to_zero_or_keeps_most() -> None:
    names = {"best": CELLS, "others": CELLS, "before": CELLS}
    least = BestMethod(kind="least", sign="+", **names)
    most = BestMethod(kind="most", sign="+", **names)
    rows = [(figure(1), figure(other), figure(-0.3)) for other in (0.4, -0.5)]
    assert grade(least, *rows) == "holds"
    assert grade(most, *rows) == "fails"
    assert grade(least, *rows, (figure(1), figure(0.2), figure(-0.3))) == "fails"
    assert grade(least, *rows, missing=("another",)) == "undecided"
    assert grade(most, (figure(1), figure(0.4), figure(0.5))) == "holds"
    for test in (least, most):
        assert grade(test, (figure(-1), figure(0.4), figure(0.1))) == "undecided"


def test_a_share_of_an_effect_is_that_of_the_means() -> None:
    test = ComparableEffect(kind="comparable", left=CELLS, right=CELLS, share=0.5)
    right = (figure(1), figure(2))
    assert grade(test, (figure(0.7), figure(0.9)), right) == "holds"
    assert grade(test, (figure(0.7), figure(0.7)), right) == "fails"
    assert grade(test, (figure(0.7),), (figure(-1),)) == "undecided"


def test_what_is_missing_leaves_a_claim_open_unless_the_rest_decides() -> None:
    each = EachEffect(kind="each", cells=CELLS, sign="+")
    assert grade(each, (figure(1, 0.01),), missing=("another",)) == "undecided"
    assert grade(each, (figure(1, 0.2),), missing=("another",)) == "fails"
    open_ = decide_as_paper(each, [(figure(1, 0.01),)], 0.05, ("another",))
    assert open_.sentence == "d +1.00, p = 0.010; not asked: another."


def test_a_claim_has_both_grades_and_the_page_says_in_what_they_differ() -> None:
    """Kumar et al., B1 on the shipped ball: two-sided p is just above, one-sided half of it."""
    ids = ("p-glove-ties-career-to-men", "pgd-lowers-career-and-family")
    claims = [claim for claim in claims_of("kumar2020") if claim.id in ids]
    records = records_of(reproduce(load_paper("kumar2020"), claims=claims))
    leans, lowered = records.claims
    for line in records.claims:
        assert (line.grade, line.by_paper.grade) == ("undecided", "holds")
        assert line.printed is not None
        assert line.printed.grade == "holds"
    assert leans.p is not None
    assert leans.by_paper.p is not None
    assert leans.p > 0.05 > leans.by_paper.p
    assert (leans.differs_by, lowered.differs_by) == ("figures", "rule")
    assert leans.papers_way == ("population effect size", "p one-sided")
    assert lowered.papers_way[1:] == ("the published settings of the method",)


def test_every_kind_says_in_what_ours_differs() -> None:
    kinds = {claim.test.kind for name in PAPERS for claim in claims_of(name)}
    assert kinds <= OUR_RULE.keys()
