"""Sentences about a paper's figures and models."""

from collections.abc import Iterator

from fairvec.messages import papers as m
from fairvec.results.reproduction import (
    ClaimLine,
    FigureLine,
    PaperHead,
    PlayedBy,
    PlayedRole,
    ReproductionRecords,
    TableAgreement,
)
from tests.messages.snapshot_files import Case
from tests.results.toys import MODEL


def role(name: str, played_by: PlayedBy, change: str = "") -> PlayedRole:
    """Return a role and who plays it."""
    model = "" if played_by == "none" else MODEL.name
    return PlayedRole(
        role=name,
        title=f"The {name}",
        played_by=played_by,
        model=f"{model}{change}",
        made_from=model,
        reason="",
        remedy="" if played_by == "the paper's" else f"run: fairvec models get {name}",
    )


def agreement(*models: str, **changes: object) -> TableAgreement:
    """Return how far the figures of a table agree."""
    counts = dict.fromkeys(("same_sign", "effects", "same_significance", "p_values"), 0)
    line = TableAgreement(
        paper="toy", table="1", models=models, figures=1, printed=1, same_words=0, words=0,
        rank_correlation=None, ranked=0, **counts,
    )  # fmt: skip
    return line.model_copy(update=changes)


def records(
    *claims: ClaimLine,
    roles: tuple[PlayedRole, ...] = (),
    agreements: tuple[TableAgreement, ...] = (),
    missing_data: tuple[str, ...] = (),
    **changes: object,
) -> ReproductionRecords:
    """Return a reproduction of these claims and one figure."""
    head = PaperHead(
        paper="toy",
        title="",
        source="",
        convention="",
        alpha=0.05,
        tables=(),
        models=(MODEL,),
        roles=roles or (role("one", "the paper's"),),
        missing_data=dict.fromkeys(missing_data, "run it"),
        sensitive="",
    )
    figure = FigureLine(
        paper="toy",
        table="1",
        row="a",
        column="b",
        quantity="d",
        published="0.5",
        value=0.5,
        decimals=1,
        bold=False,
        ours=0.5,
        ours_by_default=0.5,
        difference=0.0,
        agrees=True,
        p=None,
        interval=None,
        among=None,
        grade="matched",
        role="one",
        model=MODEL.name,
        metric="weat",
        test="toy/one",
        notes=(),
    )
    figures = (figure.model_copy(update=changes),)
    return ReproductionRecords(head, claims, figures, agreements, ())


def sentences() -> Iterator[Case]:
    """Give every sentence about figures."""
    page = records()
    for printed_grade, meaning in m.GRADE_MEANINGS.items():
        yield "GRADE_MEANINGS", printed_grade, meaning
    yield "grade_counts", "one", m.grade_counts(page)
    yield "model_lines", "one", m.model_lines(page)
    yield "model_size", "known", m.model_size(page, page.head.roles[0])
    yield "model_size", "not known", m.model_size(page, role("two", "none"))
    first, second = (page.figures[0].model_copy(update={"quantity": name}) for name in "dp")
    yield "join_figures", "d and p", m.join_figures([second, first], lambda figure: figure.quantity)
    yield "join_figures", "one", m.join_figures([second], lambda figure: figure.quantity)
    for kind, roles in {
        "all": (role("one", "the paper's"), role("two", "the paper's")),
        "one": (role("one", "the paper's"),),
        "one of two": (role("one", "the paper's"), role("two", "a stand-in")),
        "one and yours": (role("one", "yours"), role("two", "a stand-in")),
        "none, several stand-ins": (role("one", "a stand-in"), role("one", "a stand-in")),
        "some are not played": (role("one", "a stand-in"), role("two", "none")),
        "nothing": (role("one", "none"), role("two", "none")),
        "a change of another": (role("one", "yours"), role("two", "yours", ", pgd en/gender")),
    }.items():
        found = records(roles=roles, missing_data=("ws353",) * (kind == "nothing"), grade="no data")
        yield "players_sentence", kind, m.players_sentence(found)
        yield "opening_sentences", kind, m.opening_sentences(found)
    yield "missing_data_sentence", "none", m.missing_data_sentence(page)
    yield (
        "missing_data_sentence",
        "two",
        m.missing_data_sentence(records(missing_data=("ws353", "rw"), grade="no data")),
    )
    counts: dict[str, dict[str, object]] = {
        "effects": {"same_sign": 4, "effects": 7, "same_significance": 2, "p_values": 7},
        "ranks, some missing": {"rank_correlation": 0.63, "ranked": 9, "figures": 9, "printed": 12},
        "words": {"same_words": 1, "words": 5, "figures": 5, "printed": 5},
        "one figure": {},
        "two figures": {"figures": 2, "printed": 2},
    }
    for kind, changes in counts.items():
        yield "agreement_sentence", kind, m.agreement_sentence(agreement("glove", **changes))
    for kind, found in {
        "nothing": records(grade="no data", ours=None),
        "one model": records(agreements=(agreement("glove"),)),
        "two models": records(agreements=(agreement("glove"), agreement("other", "more"))),
        "of a cut": records(agreements=(agreement("glove"),), among=10_714),
    }.items():
        yield "table_agreement", kind, m.table_agreement(found, "1")
    for kind, value, sign in (
        ("a number", 0.5, ""),
        ("a difference", 0.5, "+"),
        ("a word", "queen", ""),
        ("nothing", None, ""),
    ):
        yield "format_value", kind, m.format_value(page.figures[0], value, sign)
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
