"""Sentences about one test in detail."""

from collections.abc import Iterator

from fairvec.experiments.provenance import describe_metric
from fairvec.messages import test_details as m
from fairvec.metrics import metric as find_metric
from fairvec.results import Result
from fairvec.results.derived import Agreement
from fairvec.results.records import Description, GroupCoverage, ProjectedWord, WordScore
from fairvec.results.verdicts import RobustnessKind
from tests.messages.snapshot_files import Case
from tests.report.outcomes import TESTS, model, skipped
from tests.report.outcomes import measured as one_of_a_page
from tests.results.toys import MODEL, described, measured, robust_result, viewed

GROUP = GroupCoverage(
    role="x",
    title="men",
    wanted=6,
    found=4,
    missing={"uncle": "not in the vocabulary", "nephew": ""},
    matched={"grey": "gray", "sir": "Sir"},
    how={"grey": "spelling", "sir": "case+spelling"},
    merged=("sirs",),
    shared=("he",),
)
LISTS = (("a", "men"), ("b", "women"))
FITTED = ("he", "she", "him", "her")


def with_words(*without: float | None) -> Result:
    """Return a result whose words leave these effects when they are left out."""
    result = robust_result()
    scores = tuple(
        WordScore(role="x", word=f"w{place}", key=f"w{place}", score=0.1, without=left)
        for place, left in enumerate(without)
    )
    return result.model_copy(update={"words": scores})


def fitted(*actions: str) -> Result:
    """Return a result of a model whose steps saw tested words."""
    history = tuple({"action": action, "fitted_on": ["he"]} for action in actions)
    of = robust_result().model.model_copy(update={"history": history})
    return robust_result().model_copy(update={"model": of, "fitted_words": FITTED})


def held(holds: RobustnessKind | None, *, explains: bool = False) -> Result:
    """Return a result with every check and this label."""
    result = robust_result(explains)
    assert result.robustness is not None
    robustness = result.robustness.model_copy(update={"holds": holds, "expected": 0.8})
    return result.model_copy(update={"robustness": robustness, "coverage": (GROUP,)})


def bare() -> Result:
    """Return a result whose other lists were not tried, and without counts of words."""
    result = robust_result()
    assert result.robustness is not None
    without = {"swaps": (), "untried": ("other/one", "other/two"), "frequency": None}
    return result.model_copy(update={"robustness": result.robustness.model_copy(update=without)})


def difference(result: Result) -> Result:
    """Return a result whose effect is a difference of probabilities."""
    plain = result.convention.model_copy(update={"denominator": "none"})
    return result.model_copy(update={"convention": plain})


def leaning() -> Description:
    """Return a description of which a positive number leans to b."""
    lists = [GROUP.model_copy(update={"role": role, "title": title}) for role, title in LISTS]
    metric = describe_metric(find_metric("gyrocosine-bias"))
    return described().model_copy(update={"coverage": tuple(lists), "described": metric})


def agreeing() -> Agreement:
    """Return how a flat and a curved model lean over five words."""
    words = tuple(
        WordScore(role="words", word=f"w{place}", key=f"w{place}", score=0.1) for place in range(5)
    )
    flat, curved = (0.1, 0.2, 0.3, 0.4, 0.5), (0.1, 0.3, 0.2, 0.4, 0.5)
    models = (MODEL, MODEL.model_copy(update={"name": "ball"}))
    return Agreement(robust_result().test, *models, ("men", "women"), words, flat, curved, 0.9)


def sentences() -> Iterator[Case]:
    """Give every sentence about one test in detail."""
    for kind, without in {
        "none reverses": (0.8, 1.1),
        "two reverse": (-0.1, -0.2, 0.9),
        "many reverse": (-0.1, -0.2, -0.3, -0.4),
        "not known": (None,),
    }.items():
        yield "influence_sentence", kind, m.influence_sentence(with_words(*without))
    of_words = with_words(0.8, 1.1)
    pairs = [word.model_copy(update={"role": "pair"}) for word in of_words.words]
    of_pairs = of_words.model_copy(update={"words": tuple(pairs)})
    unscaled = of_pairs.convention.model_copy(update={"denominator": "none"})
    of_persons = of_pairs.model_copy(update={"convention": unscaled})
    for kind, result in {"words": of_words, "pairs": of_pairs, "persons": of_persons}.items():
        yield "regrouping", kind, m.regrouping(result)
    yield "influence_sentence", "pairs", m.influence_sentence(of_pairs)
    label = m.word_labels(robust_result())
    plain = WordScore(role="x", word="he", key="he", score=0.1, without=0.9)
    yield "word_labels", "plain", label(plain)
    update = {"key": "He", "transliteration": "on", "gloss": "he"}
    yield "word_labels", "everything", label(plain.model_copy(update=update))
    titles = m.list_titles(held(None))
    yield "list_titles", "one", [f"{role}: {title}" for role, title in titles.items()]
    yield "missing_words", "two", m.missing_words(GROUP)
    notes = m.spelling_notes(GROUP)
    yield "spelling_notes", "two", [f"{rule}: {', '.join(of)}" for rule, of in notes.items()]
    for actions in (("debias",), ("trained",), ("trained", "debias"), ()):
        kind = " and ".join(actions) or "not named"
        result = fitted(*actions)
        yield "exposure_of", kind, m.exposure_of(result.model)
        yield "held_out_note", kind, m.held_out_note(result)
        yield "short_held_out_note", kind, m.short_held_out_note(result)
    for holds in (None, "firm", "thin", "fragile", "frequency"):
        for explains in (False, True):
            kind = f"{holds}, explains {explains}"
            yield "row_notes", kind, m.row_notes(held(holds, explains=explains))
    for kind, result in {
        "evident": robust_result(),
        "expected": held("firm"),
        "explained": robust_result(explains=True),
        "lost": robust_result(explains=True).model_copy(update={"effect": 0.4}),
        "no evidence": measured(p=0.6).model_copy(
            update={"robustness": robust_result().robustness}
        ),
        "untried, no frequency": bare(),
        "a difference": difference(robust_result()),
        "not checked": measured(),
    }.items():
        yield "robustness_notes", kind, m.robustness_notes(result)
        if (robustness := result.robustness) is None:
            continue
        yield "all_words_line", kind, m.all_words_line(result)
        yield "shorter_lists_note", kind, m.shorter_lists_note(result, robustness)
        yield "shorter_lists_line", kind, m.shorter_lists_line(result, robustness)
        for swap in robustness.swaps:
            yield "swapped_lists", kind, m.swapped_lists(result, swap)
            yield "other_lists_line", kind, m.other_lists_line(result, swap)
        if robustness.frequency:
            line = m.equal_frequency_line(result, robustness.frequency)
            yield "equal_frequency_line", kind, line
    means = {("x", "a"): 0.21, ("x", "b"): 0.1, ("y", "a"): 0.05, ("y", "b"): 0.31}
    similar = m.similarity_sentences(
        {"x": "men", "a": "work"}, means, ("he", "job", 0.4), ("aunt", "job", -0.1)
    )
    yield "similarity_sentences", "two titles", similar
    nurse = {"word": "नर्स", "key": "नर्स", "gloss": "nurse"}
    ranked = WordScore(role="words", score=-0.25, **nurse)
    yield "ranked_word_label", "a gloss", m.ranked_word_label(ranked)
    for centred in (True, False):
        said = m.ranking_titles(leaning(), centred=centred)
        yield "ranking_titles", f"centred {centred}", said
    for kind, word in m.WORD_KINDS.items():
        yield "WORD_KINDS", kind, word
    yield "components_sentence", "two pairs", m.components_sentence(viewed())
    yield "plane_sentence", "some", m.plane_sentence(viewed())
    extra = {"transliteration": "nars", "x_after": 0.011}
    changed = ProjectedWord(kind="neutral", x=-0.3, y=0.21, **nurse, **extra)
    yield "projected_word_label", "changed", m.projected_word_label(changed, ("हमारा", "हमारी"))
    plain_word = ProjectedWord(word="He", key="he", kind="listed", x=0.4, y=-0.1)
    yield "projected_word_label", "plain", m.projected_word_label(plain_word, ("he", "she"))
    yield "correlation_sentence", "three words", m.correlation_sentence(agreeing())
    yield "agreeing_word_label", "one", m.agreeing_word_label(plain, 0.1, -0.2)
    yield "fitted_words_note", "four", m.fitted_words_note(fitted("debias"))
    gap = skipped(model("glove"), TESTS[4])
    for kind, outcome in (
        ("measured", one_of_a_page(model("glove"), TESTS[1])),
        ("skipped", gap),
    ):
        for name in ("readings", "live_figures"):
            message = getattr(m, name)(outcome)
            yield name, kind, [f"{what}: {text}" for what, text in message.items()]
