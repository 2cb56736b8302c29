"""Sentences about a paper's claims."""

from collections.abc import Iterator
from typing import Any

from fairvec.messages import claims as m
from fairvec.results import Interval
from fairvec.results.reproduction import (
    ClaimLine,
    PaperDecision,
)
from tests.messages.cases.papers import records
from tests.messages.snapshot_files import Case

INTERVAL = Interval(low=-0.2, high=0.9, level=0.95, kind="inverted", method="toy")
TWO = ("glove", "other, with a comma")


def by_paper(grade: Any, **figures: float) -> PaperDecision:
    """Return what a paper's rule says."""
    return PaperDecision(grade=grade, sentence="d +1.00.", shown="", figures=figures, p=None)


def claim(grade: Any, paper: Any, **changes: object) -> ClaimLine:
    """Return a claim with our answer and the paper's."""
    line = ClaimLine(
        paper="toy",
        claim="a",
        says="It is so.",
        where="Table 1",
        quote="so it is",
        roles=("one",),
        models=("glove",),
        papers_own_model=True,
        grade=grade,
        sentence="The words lean as claimed.",
        test="leans",
        shown="",
        figures={},
        p=None,
        at_most=False,
        interval=None,
        how="words regrouped",
        n=1,
        unit="words",
        among=None,
        reading="Read as one test.",
        by_paper=by_paper(paper),
        differs_by="" if grade == paper else "rule",
        papers_way=(),
        printed=None,
    )
    return line.model_copy(update=changes)


def sentences() -> Iterator[Case]:
    """Give every sentence about claims."""
    for grade, meaning in m.CLAIM_GRADES.items():
        yield "CLAIM_GRADES", grade, meaning
    for kind_of_test, rule in m.OUR_RULE.items():
        yield "OUR_RULE", kind_of_test, rule
    for name in ("CLAIM_TITLE", "CLAIM_CONVENTION", "NOT_CLEAR", "TURNED", "LARGER_AS_CLAIMED"):
        yield name, "always", str(getattr(m, name))
    yield "join_names", "a comma", m.join_names(TWO)
    yield "quote", "a name", m.quote("a, b")
    for count in range(3):
        yield "count_of", f"{count} of 2", m.count_of(TWO[:count], 2)
    for tests in (1, 3):
        for as_claimed in (True, False, None):
            message = m.leaning_sentence(
                0.5, INTERVAL, 0.03, tests=tests, as_claimed=as_claimed, at_most=False, alpha=0.05
            )
            yield "leaning_sentence", f"{tests} tests, {as_claimed}", message
    bound = m.leaning_sentence(0.5, None, 1e-5, tests=1, as_claimed=True, at_most=True, alpha=0.05)
    yield "leaning_sentence", "a bound, no interval", bound
    yield "effect_label", "one", m.effect_label(0.5, 0.5)
    yield "effect_label", "two", m.effect_label(-0.1, 0.5)
    for kind, (along, against, ruled_out, missing, tests) in {
        "one test": (["E1"], [], [], [], 1),
        "two tests": (["E1"], ["E2"], [], [], 2),
        "ruled out, missing": ([], [], ["E1"], ["E3"], 2),
    }.items():
        message = m.each_sentence(
            along,
            against,
            ruled_out,
            missing,
            tests=tests,
            effects=(0.1, 0.5),
            p=0.02,
            small=0.2,
            alpha=0.05,
        )
        yield "each_sentence", kind, message
    for as_claimed in (True, False, None):
        for of_sizes in (True, False):
            message = m.greater_sentence(
                3,
                5,
                0.1,
                0.0625,
                of_sizes=of_sizes,
                as_claimed=as_claimed,
                too_few=m.too_few_pairs(6, differing=of_sizes),
                alpha=0.05,
            )
            yield "greater_sentence", f"sizes {of_sizes}, {as_claimed}", message
    for differing in (True, False):
        yield "too_few_pairs", f"differing {differing}", m.too_few_pairs(6, differing=differing)
    yield "greater_label", "3 of 5", m.greater_label(3, 5, 0.1)
    compared = ("of one", "of the other")
    for sides in (m.BEFORE_AND_AFTER, compared):
        kind = " and ".join(sides)
        yield "nothing_lead", kind, m.nothing_lead(sides)
        yield "no_change_lead", kind, m.no_change_lead(sides, 0.2)
        for is_share in (True, False):
            message = m.change_sentence(
                m.changed_lead(smaller=True),
                0.9,
                0.1,
                INTERVAL if is_share else None,
                0.01 if is_share else None,
                sides=sides,
                is_share=is_share,
                at_most=False,
                alpha=0.05,
            )
            yield "change_sentence", f"{kind}, share {is_share}", message
    for raised in (True, False):
        kind = f"raised {raised}"
        yield "nothing_to_change_lead", kind, m.nothing_to_change_lead(raised=raised)
        yield "no_tie_lead", kind, m.no_tie_lead(raised=raised)
    yield "neither_lead", "always", m.neither_lead()
    for smaller in (True, False):
        yield "changed_lead", f"smaller {smaller}", m.changed_lead(smaller=smaller)
    for is_share in (True, False):
        yield "change_label", f"share {is_share}", m.change_label(0.9, 0.1, is_share=is_share)
    for kind, (within, moved, undecided, missing, total) in {
        "one": (["a"], [], [], [], 1),
        "several": (["a"], ["b"], ["c"], ["d"], 4),
    }.items():
        for agree in (True, False):
            message = m.unchanged_sentence(
                within,
                moved,
                undecided,
                missing,
                total=total,
                margin=0.05,
                largest=("a", 0.012, INTERVAL),
                agree=agree,
            )
            yield "unchanged_sentence", f"{kind}, agree {agree}", message
    for agree in (True, False):
        kind = f"2 of 3, agree {agree}"
        yield "unchanged_label", kind, m.unchanged_label(2, 3, -0.1, agree=agree)
        yield "moved_at_most", f"0.05, agree {agree}", m.moved_at_most(0.05, agree=agree)
    for least in (True, False):
        for is_there in (True, False):
            message = m.best_sentence(
                ["a"],
                ["b"],
                ["c"],
                least=least,
                total=3,
                is_there=is_there,
                effects=(0.9, 0.1, 0.2),
                rival="a",
            )
            yield "best_sentence", f"least {least}, is there {is_there}", message
        for is_there in (True, False):
            message = m.rivals_sentence(["a"], 2, (0.9, 0.1), least=least, is_there=is_there)
            yield "rivals_sentence", f"least {least}, is there {is_there}", message
    for second in (1.2, -0.1):
        for ends in (INTERVAL, None):
            kind = f"{second:g}, {'an' if ends else 'no'} interval"
            message = m.comparable_sentence((0.5, ends), (second, ends), 0.5)
            yield "comparable_sentence", kind, message
    yield "comparable_label", "two", m.comparable_label(0.5, 1.2)
    yield "found_sentence", "some", m.found_sentence(2, 8)
    for speaks in (True, False):
        kind = f"against {speaks}"
        yield "our_lists_note", kind, m.our_lists_note(against=speaks)
        for count in (1, 2):
            message = m.our_models_note(TWO[:count], against=speaks)
            yield "our_models_note", f"{count}, {kind}", message
    for choice, value in (
        ("sides", "greater"),
        ("ties", ">"),
        ("effect_size", "population"),
        ("repeats", "kept"),
        ("permute", "sentences"),
        ("fit", "as-published"),
        ("moved", "targets"),
        ("moved", "slots"),
        ("answers by", "gyro-translation (cosine)"),
    ):
        yield "way_label", f"{choice}, {value}", m.way_label(choice, value)
    for is_minimum in (True, False):
        for kind, (passing, failing, unknown, missing, total) in {
            "one": (["a"], [], [], [], 1),
            "one, no interval": (["a"], [], ["a"], [], 1),
            "several": (["a"], ["b"], ["c"], ["d"], 4),
        }.items():
            message = m.threshold_sentence(
                passing,
                failing,
                unknown,
                missing,
                total=total,
                limit=0.5,
                is_minimum=is_minimum,
                nearest=("a", 0.49999, None if unknown else INTERVAL),
            )
            yield "threshold_sentence", f"{kind}, minimum {is_minimum}", message
    yield "near_limit", "crosses in three digits", m.near_limit(0.49999, 0.5)
    yield "all_of_sentence", "one of two", m.all_of_sentence(["a"], 2, m.LARGER_AS_CLAIMED)
    yield "with_missing", "two", m.with_missing("1 of 2.", TWO)
    for kind, (tests, p) in {
        "one": (1, 0.03),
        "one, no p": (1, None),
        "several": (2, 0.03),
        "several, no p": (2, None),
    }.items():
        message = m.paper_p_sentence(["a"], tests, (0.1, 0.5), p, 0.05)
        yield "paper_p_sentence", kind, message
    for figures, is_share, is_there in (
        (1, True, True),
        (1, False, True),
        (2, False, True),
        (2, False, False),
    ):
        kind = f"{figures}, share {is_share}, is there {is_there}"
        message = m.mean_change_sentence(
            0.9, 0.1, figures, sides=m.BEFORE_AND_AFTER, is_share=is_share, is_there=is_there
        )
        yield "mean_change_sentence", kind, message
    holds, not_tried = claim("holds", "holds"), claim("not tried", "not tried", models=(), n=None)
    fails = claim("fails", "holds", printed=by_paper("fails"), n=4, papers_own_model=False)
    open_ = claim("undecided", "not tried", quote="", among=10_714)
    rules = [
        claim("undecided", "fails"),
        claim("undecided", "holds", test="threshold"),
        claim("undecided", "holds", differs_by="figures", papers_way=("p one-sided", "b")),
        claim("undecided", "holds", by_paper=by_paper("holds", asked=1.0)),
    ]
    page = records(holds, not_tried, fails, open_, *rules)
    yield "claim_sentences", "plain", m.claim_sentences(page)
    yield "claim_sentences", "quoting", m.claim_sentences(page, quoting=True)
    yield "format_models", "the paper's own", m.format_models(holds)
    yield "format_models", "none", m.format_models(not_tried)
    yield "format_paper_grade", "no figure", m.format_paper_grade(holds)
    graded = PaperDecision(grade="holds", sentence="", shown="d +1.00", figures={}, p=0.025)
    shown = claim("undecided", "holds", by_paper=graded)
    yield "format_paper_grade", "a figure and p", m.format_paper_grade(shown)
    yield "claim_summary", "eight", m.claim_summary(page)
