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
