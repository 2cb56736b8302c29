"""Sentences about a paper's figures and models."""

from collections.abc import Iterator

from fairvec.messages import papers as m
from fairvec.results.reproduction import (
    ClaimLine,
    FigureLine,
    PaperHead,
    ReproductionRecords,
)
from tests.messages.snapshot_files import Case
from tests.results.toys import MODEL


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
    """Give every sentence about figures."""
    page = records()
    for printed_grade, meaning in m.GRADE_MEANINGS.items():
        yield "GRADE_MEANINGS", printed_grade, meaning
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
    for published in (True, False):
        kind = f"published {published}"
        yield "absent_benchmark_note", kind, m.absent_benchmark_note("ws353", published=published)
    yield "moved_words_note", "a method", m.moved_words_note("glove", 20_000, "all", "12 words")
    yield "best_answers_note", "two", m.best_answers_note("glove", ["queen", "princess"])
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
