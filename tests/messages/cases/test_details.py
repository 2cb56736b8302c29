"""Sentences about one test in detail."""

from collections.abc import Iterator

from fairvec.messages import test_details as m
from fairvec.results import Result
from fairvec.results.records import GroupCoverage, WordScore
from fairvec.results.verdicts import RobustnessKind
from tests.messages.snapshot_files import Case
from tests.report.outcomes import TESTS, model, skipped
from tests.report.outcomes import measured as one_of_a_page
from tests.results.toys import robust_result

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
    gap = skipped(model("glove"), TESTS[4])
    for kind, outcome in (
        ("measured", one_of_a_page(model("glove"), TESTS[1])),
        ("skipped", gap),
    ):
        for name in ("readings", "live_figures"):
            message = getattr(m, name)(outcome)
            yield name, kind, [f"{what}: {text}" for what, text in message.items()]
