"""Sentences about a paper's claims and figures."""

from collections.abc import Iterator
from typing import Any

from fairvec.messages import papers as m
from fairvec.results import Interval
from fairvec.results.reproduction import (
    ClaimLine,
    FigureLine,
    PaperDecision,
    PaperHead,
    ReproductionRecords,
)
from tests.messages.snapshot_files import Case
from tests.results.toys import MODEL

INTERVAL = Interval(low=-0.2, high=0.9, level=0.95, kind="inverted", method="toy")
TWO = ("glove", "other, with a comma")


def by_paper(grade: Any) -> PaperDecision:
    """Return what a paper's rule says."""
    return PaperDecision(grade=grade, sentence="Size 1 before.", shown="", figures={}, p=None)


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
        reading="Read as one test.",
        by_paper=by_paper(paper),
        printed=None,
    )
    return line.model_copy(update=changes)


def records(*claims: ClaimLine) -> ReproductionRecords:
    """Return a reproduction of these claims and one figure."""
    head = PaperHead(
        paper="toy",
        title="",
        source="",
        convention="",
        tables=(),
        models=(MODEL,),
        sensitive="",
    )
    figure = FigureLine(
        paper="toy",
        table="1",
        row="a",
        column="b",
        quantity="d",
        published="0.5",
        decimals=1,
        bold=False,
        ours=0.5,
        ours_by_default=0.5,
        difference=0.0,
        p=None,
        interval=None,
        grade="matched",
        role="one",
        model=MODEL.name,
        metric="weat",
        test="toy/one",
        notes=(),
    )
    return ReproductionRecords(head, claims, (figure,))


def sentences() -> Iterator[Case]:
    """Give every sentence about claims and figures."""
    for grade, meaning in m.CLAIM_GRADES.items():
        yield "CLAIM_GRADES", grade, meaning
    for printed_grade, meaning in m.GRADE_MEANINGS.items():
        yield "GRADE_MEANINGS", printed_grade, meaning
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
                too_few=m.too_few_pairs(differing=of_sizes),
                alpha=0.05,
            )
            yield "greater_sentence", f"sizes {of_sizes}, {as_claimed}", message
    for differing in (True, False):
        yield "too_few_pairs", f"differing {differing}", m.too_few_pairs(differing=differing)
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
    for claimed in ("lowered", "raised"):
        yield "nothing_to_change_lead", claimed, m.nothing_to_change_lead(claimed)
    for smaller in (True, False):
        yield "changed_lead", f"smaller {smaller}", m.changed_lead(smaller=smaller)
    for is_share in (True, False):
        yield "change_label", f"share {is_share}", m.change_label(0.9, 0.1, is_share=is_share)
    for kind, (within, moved, undecided, missing, total) in {
        "one": (["a"], [], [], [], 1),
        "several": (["a"], ["b"], ["c"], ["d"], 4),
    }.items():
        message = m.unchanged_sentence(
            within,
            moved,
            undecided,
            missing,
            total=total,
            margin=0.05,
            largest=("a", 0.012, INTERVAL),
        )
        yield "unchanged_sentence", kind, message
    yield "unchanged_label", "2 of 3", m.unchanged_label(2, 3, -0.1)
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
    yield "moved_at_most", "0.05", m.moved_at_most(0.05)
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
    for figures in (1, 2):
        yield "mean_size_sentence", str(figures), m.mean_size_sentence(0.9, 0.1, figures)
    holds, not_tried = claim("holds", "holds"), claim("not tried", "not tried", models=(), n=None)
    fails = claim("fails", "holds", printed=by_paper("fails"), n=4, papers_own_model=False)
    open_ = claim("undecided", "not tried", quote="")
    page = records(holds, not_tried, fails, open_)
    yield "claim_sentences", "plain", m.claim_sentences(page)
    yield "claim_sentences", "quoting", m.claim_sentences(page, quoting=True)
    yield "format_models", "the paper's own", m.format_models(holds)
    yield "format_models", "none", m.format_models(not_tried)
    yield "claim_summary", "four", m.claim_summary(page)
    yield "grade_counts", "one", m.grade_counts(page)
    yield "model_lines", "one", m.model_lines(page)
    step = {"action": "trained", "by": "glove", "corpus": ["a.txt"], "corpus_sha256": "0a"}
    trained = MODEL.model_copy(update={"history": ({**step, "window": 5, "min_count": 2},)})
    yield "describe_training", "trained", m.describe_training(trained)
    yield "describe_training", "not trained", m.describe_training(MODEL)
    yield "other_unit_note", "words", m.other_unit_note("0.5", "0.03", "sentences", "words")
    yield "mismatch_note", "one unit", m.mismatch_note("0.5", "0.03", {"words": 0.2})
    both = {"words": 0.2, "sentences": 0.01}
    yield "mismatch_note", "two units", m.mismatch_note("0.5", "0.03", both)
    yield "printed_note", "two places", m.printed_note("d", [("Table 1", "0.5"), ("2", "0.6")])
    yield "made_of_note", "two", m.made_of_note("0.5 (1, a, b)", "0.1 (1, a, c)")
    yield "matched_under_note", "d", m.matched_under_note("d", "population")
    for action, why in m.FROM_HISTORY.items():
        yield "FROM_HISTORY", action, why
    yield "unverified_reason", "a title", m.unverified_reason("the paper's GloVe")
    yield "identified_note", "a hash", m.identified_note("glove", "its SHA-256")
    yield "found_words_note", "some", m.found_words_note("glove", 30, 32, "toy/one")
    yield "benchmark_items_note", "some", m.benchmark_items_note("glove", 1_000, 2_000, "questions")
    for certified in (True, False):
        kind = f"certified {certified}"
        yield "inexact_p_note", kind, m.inexact_p_note("glove", certified=certified)
    for remedy in ("", m.how_to_train("pestova")):
        kind = f"a recipe {bool(remedy)}"
        yield "absent_model_note", kind, m.absent_model_note("GloVe", ("get it", remedy))
    yield "how_to_train", "pestova", m.how_to_train("pestova")
    for published in (True, False):
        kind = f"published {published}"
        yield "absent_benchmark_note", kind, m.absent_benchmark_note("ws353", published=published)
    yield "moved_words_note", "a method", m.moved_words_note("glove", 20_000, "all", "12 words")
    yield "best_answers_note", "two", m.best_answers_note("glove", ["queen", "princess"])
    yield "training_label", "one", m.training_label("glove", 1, "Hindi movie reviews")
    yield "training_label", "several", m.training_label("glove", 2, "Hindi movie reviews")
    described = m.recipe_description("skipgram", 300, 2, "tagged-lemmas")
    yield "recipe_description", "lemmas", described
    yield (
        "recipe_description",
        "words as they stand",
        m.recipe_description("glove", 50, 15, "plain"),
    )
    one = ("ru-news-skipgram", described, "News_skip", 1_890_000, 95.0)
    two = ("hi-glove-50", "glove, 50 dimensions", "Hindi GloVe", 13_200_000, 4_000.0)
    for case, trainings, kept in (
        ("one", [one], []),
        ("several, and some kept", [one, two], ["ru-mixed-cbow", "hi-wiki-cbow"]),
        ("all kept", [], ["ru-mixed-cbow"]),
        ("nothing to do", [], []),
    ):
        yield "training_sentences", case, m.training_sentences(trainings, kept, "models")
    yield "no_text_note", "one", m.no_text_note(["hi-wiki-cbow"], ["wiki-skipgram"])
    yield "chosen_t_note", "no similarity", m.chosen_t_note(0.25, "glove", "", 0.3)
    yield "chosen_t_note", "a similarity", m.chosen_t_note(0.25, "glove", "cosine", 0.3)
    yield "published_t_note", "a reason", m.published_t_note(0.3, "SemBias is not at hand.")
    for kind, of_p, splits in (
        ("exact", "two", (None, None)),
        ("drawn", "greater", (1_000, None)),
        ("drawn otherwise in its code", "greater", (1_000, 10_000)),
    ):
        message = m.conventions_sentence("caliskan", of_p, ">=", splits, "A note.")
        yield "conventions_sentence", kind, message
