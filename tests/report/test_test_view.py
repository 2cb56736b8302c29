"""One test on the page."""

import re
from math import pi, sqrt
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest

import fairvec
from fairvec.messages.test_details import robustness_notes
from fairvec.report import render
from fairvec.report.test_view import (
    agreement_marks,
    robustness_rows,
    robustness_scale,
    similarity_table,
)
from fairvec.results import Outcome, Result
from fairvec.results.derived import agreements, bias_vs_encoding
from fairvec.results.records import Description, GroupCoverage, WordScore
from tests.report.helpers import Page
from tests.report.outcomes import TESTS, model
from tests.report.outcomes import measured as measured_similarities
from tests.results.toys import MODEL, TEST, measured, robust_result

# --- agreement ---


BALL = MODEL.model_copy(update={"name": "ball", "geometry": "poincare", "curvature": 1.0})
TEN = {f"word{n}": n / 10 - 0.4 for n in range(10)}
SIDES = [
    GroupCoverage(
        role=role, title=title, wanted=1, found=1, missing={}, matched={}, how={}, merged=()
    )
    for role, title in (("a", "male words"), ("b", "female words"))
]


def described(scores: dict[str, float], *, curved: bool = False, **changes: Any) -> Description:
    fields: dict[str, Any] = {
        "test": TEST,
        "model": BALL if curved else MODEL,
        "metric": "gyrocosine-bias" if curved else "signed-direct-bias",
        "similarity": "cosine",
        "coverage": SIDES,
        "seed": 0,
        "versions": {"fairvec": "0"},
        "value": 0.0,
        "neutral": 0.0,
        "meaning": "0: to neither.",
        "interval": None,
        "words": [
            WordScore(word=word, key=word, role="words", score=score)
            for word, score in scores.items()
        ],
    }
    return Description(**fields | changes)


def noisy(seed: int = 0) -> dict[str, float]:
    noise = np.random.default_rng(seed).normal(size=10) / 5
    return {word: -score + noise[at] for at, (word, score) in enumerate(TEN.items())}


def test_the_two_measures_count_in_opposite_directions() -> None:
    (one,) = agreements([described(TEN), described(noisy(), curved=True)])
    expected = -np.corrcoef([*TEN.values()], [*noisy().values()])[0, 1]
    assert one.rho == pytest.approx(expected)
    assert one.rho > 0.5
    assert one.sides == ("male words", "female words")
    # As in the paper's figure: across is the ball, upwards flat space.
    assert {mark.text: mark.y for mark in agreement_marks(one)} == {w: -s for w, s in TEN.items()}
    assert {mark.text: mark.x for mark in agreement_marks(one)} == noisy()


def test_the_interval_is_fishers() -> None:
    (one,) = agreements([described(TEN), described(noisy(), curved=True)])
    low, high = one.interval
    assert np.arctanh([low, high]) == pytest.approx(
        np.arctanh(one.rho) + np.array([-1.959964, 1.959964]) / np.sqrt(7)
    )
    opposite = {word: -score for word, score in TEN.items()}
    (exact,) = agreements([described(TEN), described(opposite, curved=True)])
    assert exact.interval == pytest.approx((1, 1))


def test_only_words_that_both_know_count() -> None:
    fewer = {word: score for word, score in noisy().items() if word != "word3"}
    (one,) = agreements([described({**TEN, "other": 9.0}), described(fewer, curved=True)])
    assert [word.word for word in one.words] == list(fewer)


OTHER = TEST.model_copy(update={"id": "toy/other"})


@pytest.mark.parametrize(
    "outcomes",
    [
        [described(TEN)],
        [described(TEN), described(noisy(), metric="gyrocosine-bias")],
        [described(TEN, model=BALL), described(noisy(), curved=True)],
        [described(TEN), described(noisy(), curved=True, test=OTHER)],
        [described(TEN), described(dict.fromkeys(TEN, 0.1), curved=True)],
        [described(dict([*TEN.items()][:3])), described(noisy(), curved=True)],
        [described(TEN), described({}, curved=True)],
        [measured()],
    ],
)
def test_without_comparable_models_there_is_no_comparison(outcomes: list[Outcome]) -> None:
    assert agreements(outcomes) == []
    assert 'id="agreement"' not in render(outcomes)


def test_the_page_draws_every_word() -> None:
    text = render([described(TEN), described(noisy(), curved=True)])
    page = Page(text)
    assert page.open == []
    section = text[text.index('<section id="agreement"') :]
    assert section.count("<circle") == 10
    assert ("a", {"href": "#agreement"}) in page.tags
    assert "over 10 words: model and ball." in page.text
    assert "← male words" in page.text


def test_figure_1_on_the_shipped_models() -> None:
    models = [fairvec.load(name) for name in ("glove-en-twin-small", "poincare-glove-en-small")]
    metrics = ["signed-direct-bias", "gyrocosine-bias"]
    outcomes = fairvec.audit(*models, suites="bolukbasi2016", metrics=metrics, resamples=100)
    (one,) = agreements(outcomes)
    assert one.rho == pytest.approx(0.912, abs=1e-3)
    assert (one.flat_model.name, one.ball.name) == (
        "glove-en-twin-small",
        "poincare-glove-en-small",
    )


def test_figure_1_on_the_full_models(shared_data: Path) -> None:
    """Kumar et al. (2020), Figure 1, print r = .952 on their own two models."""
    folder = shared_data / "emb_glove_and_poincare_glove_en"
    models = [
        fairvec.load(folder / "glove_enwiki2_50k_100d.npz"),
        fairvec.load(folder / "poincare_glove_enwiki2_50k_100d.npz", geometry="poincare"),
    ]
    metrics = ["signed-direct-bias", "gyrocosine-bias"]
    outcomes = fairvec.audit(*models, suites="bolukbasi2016", metrics=metrics, resamples=100)
    (one,) = agreements(outcomes)
    assert one.rho == pytest.approx(0.912, abs=1e-3)


# --- labels ---


def of_kind(kind: str, effect: float, p_holm: float, tags: tuple[str, ...] = ()) -> Result:
    words = tuple(
        WordScore(word=f"{role}{number}", key="k", role=role, score=0.0)
        for role in "xy"
        for number in range(8)
    )
    result = measured(effect=effect, p_holm=p_holm, test=f"toy/{kind}{effect}")
    test = result.test.model_copy(update={"kind": kind, "tags": tags})
    return result.model_copy(update={"test": test, "words": words})


RESULTS = [
    of_kind("bias", -0.6, 0.5),
    of_kind("bias", 0.4, 0.5),
    of_kind("bias", 1.9, 0.01, tags=("translated",)),
    of_kind("meaningful-encoding", 1.8, 0.01),
]


def test_strengths_are_shown_with_each_other_and_with_chance() -> None:
    (row,) = bias_vs_encoding(RESULTS)
    assert row.category == "gender"
    assert (row.bias.mean, row.bias.evident, row.bias.tests) == (0.5, 0, 2)
    assert (row.encoding.mean, row.encoding.tests) == (1.8, 1)
    assert row.bias.by_chance == pytest.approx(sqrt(2 / pi) / 2)


def test_a_category_of_one_kind_has_no_row() -> None:
    assert bias_vs_encoding(RESULTS[:3]) == []


def test_the_row_is_in_the_page() -> None:
    page = render(RESULTS)
    assert "<b>0.50</b> (0.40), 0 of 2 significant" in page
    assert "should encode" not in render(RESULTS[:2])


# --- similarities ---


def with_pairs(**changes: object) -> Result:
    """A result whose similarities are a word's place, and a hundredth of the attribute's."""
    result = measured_similarities(model("m"), TESTS[1])
    groups = [
        group.model_copy(update={"entries": {f"{group.role}{n}": f"{n}" for n in range(3)}})
        for group in result.coverage
    ]
    table = [[at + n / 100 for n in range(6)] for at in range(len(result.words))]
    return result.model_copy(update={"coverage": groups, "similarities": table} | changes)


def test_words_are_in_the_order_of_their_leaning_with_their_own_numbers() -> None:
    result = with_pairs()
    found = similarity_table(result)
    assert found is not None
    assert found.columns == ("a0", "a1", "a2", "b0", "b1", "b2")
    scores = {(word.word, word.role): word.score for word in result.words}
    for role, rows in (("x", found.rows[: found.of_x]), ("y", found.rows[found.of_x :])):
        own = [scores[row, role] for row in rows]
        assert own == sorted(own, reverse=True)
    places = {word.word: at for at, word in enumerate(result.words)}
    assert [row[0] for row in found.table] == [places[word] for word in found.rows]
    x = [at for at, word in enumerate(result.words) if word.role == "x"]
    title = result.coverage[0].title
    assert f"{title} to {result.coverage[2].title} {fmean(x) + 0.01:.3f}" in found.about
    assert f"Closest: {result.words[-1].word} and b2" in found.about


@pytest.mark.parametrize(
    "changes",
    [
        {"similarities": ()},
        {"similarities": ((0.1,),)},
        {"coverage": ()},
    ],
    ids=["none", "of other words", "attributes unknown"],
)
def test_a_record_without_fitting_similarities_has_no_map(changes: dict[str, object]) -> None:
    result = with_pairs(**changes)
    assert similarity_table(result) is None
    assert 'class="heat"' not in render([result])


def test_a_ragged_table_has_no_map() -> None:
    table = [list(row) for row in with_pairs().similarities]
    table[3].pop()
    assert similarity_table(with_pairs(similarities=table)) is None


@pytest.mark.parametrize("role", ["a", "b"])
def test_a_record_whose_attributes_are_of_one_list_alone_has_no_map(role: str) -> None:
    """As of a stranger: the rows fit the entries that there are."""
    complete = with_pairs()
    coverage = tuple(
        group.model_copy(update={"entries": {}}) if group.role == role else group
        for group in complete.coverage
    )
    left = sum(len(group.entries) for group in coverage if group.role in "ab")
    rows = tuple(row[:left] for row in complete.similarities)
    result = complete.model_copy(update={"coverage": coverage, "similarities": rows})
    assert similarity_table(result) is None
    assert result.test.title in render([result])


def test_a_test_shows_its_map_and_the_words_of_a_and_b() -> None:
    page = render([with_pairs()])
    assert page.count('class="heat"') == 1
    assert "a0, a1, a2" in page
    assert "b0, b1, b2" in page


# --- robustness ---


def figures_in(text: str) -> list[str]:
    return re.findall(r"[+−]?\d[\d.,]*\d|\d", text)


def test_every_robustness_check_is_reported() -> None:
    draws, swap, frequency = robustness_notes(robust_result())
    assert {"0.40", "1.60", "95", "100"} <= {*figures_in(draws)}
    assert figures_in(swap) == ["−0.50", "0.040"]
    assert figures_in(frequency) == ["+0.25", "0.30", "0.50"]


def test_a_difference_of_probabilities_is_never_called_d() -> None:
    result = robust_result(explains=True)
    plain = result.convention.model_copy(update={"denominator": "none"})
    notes = robustness_notes(result.model_copy(update={"convention": plain}))
    assert not any(re.search(r"\bd\b", note) for note in notes)
    draws, swap, frequency = notes
    assert {"0.400", "1.600"} <= {*figures_in(draws)}
    assert figures_in(swap) == ["−0.500", "0.040"]
    assert "+0.250" in figures_in(frequency)


def test_without_evidence_there_is_no_explanation() -> None:
    found, silent = robust_result(explains=True), measured(p=0.6)
    silent = silent.model_copy(update={"robustness": found.robustness})
    explained, unexplained = (robustness_notes(one)[2] for one in (found, silent))
    assert len(explained) > len(unexplained)
    assert figures_in(explained) == figures_in(unexplained)


def test_evidence_that_is_lost_while_the_effect_stays_is_not_explained() -> None:
    """At equal frequency 0.25 of 1 is little, and of 0.4 more than half."""
    large = robust_result(explains=True)
    small = large.model_copy(update={"effect": 0.4})
    notes = {robustness_notes(one)[2] for one in (large, small, robust_result())}
    assert len(notes) == 3


def expecting(share: float | None, result: Result) -> Result:
    assert result.robustness is not None
    robustness = result.robustness.model_copy(update={"expected": share})
    return result.model_copy(update={"robustness": robustness})


def test_shorter_lists_are_reported_with_what_they_could_show() -> None:
    silent = measured(p=0.6).model_copy(update={"robustness": robust_result().robustness})
    known, unknown, without_evidence = (
        figures_in(robustness_notes(one)[0])
        for one in (
            expecting(0.723, robust_result()),
            expecting(None, robust_result()),
            expecting(0.01, silent),
        )
    )
    assert known[-2:] == ["65.5", "72"]
    assert (unknown[-1], without_evidence[-1]) == ("65.5", "65.5")


def test_every_look_is_a_row_in_the_order_of_the_sentences() -> None:
    found, shorter, other, frequent = robustness_rows(robust_result())
    assert (found.at, found.ends, found.evident) == (1.0, (0.0, 2.0), True)
    assert (shorter.at, shorter.ends) == (None, (0.4, 1.6))
    assert (other.label, other.note) == ("other/one", "a and b")
    assert (other.at, other.evident) == (-0.5, True)
    assert (frequent.at, frequent.evident) == (0.25, False)
    titles = [figures_in(row.title) for row in robustness_rows(robust_result())]
    assert titles == [
        ["+1.00", "0.010", "95", "0.00", "2.00"],
        ["95", "+0.40", "+1.60", "65.5"],
        ["−0.50", "0.040"],
        ["+0.25", "0.30"],
    ]
    assert robustness_rows(measured()) == []


def test_the_axis_holds_what_lies_far_out() -> None:
    far = robust_result().model_copy(update={"effect": -3.1})
    axis = robustness_scale(far, robustness_rows(far))
    assert axis.low <= -3.1
    assert axis.high >= 2


def test_the_page_draws_a_row_a_look_with_its_title() -> None:
    page = render([robust_result()])
    figure = page.partition('<figure class="looks"')[2].partition("</figure>")[0]
    assert figure.count('<svg class="track') == 4
    for row in robustness_rows(robust_result()):
        assert f"<title>{row.title}</title>" in figure
    assert 'class="looks"' not in render([measured()])


def test_checks_that_were_not_run_are_not_reported() -> None:
    assert robustness_notes(measured()) == []
    assert "With other words" not in render([measured()])
    assert "With other words" in render([robust_result()])


def described_robustness() -> Description:
    shared = measured().model_dump(include={"test", "model", "coverage", "seed", "versions"})
    return Description(
        **shared,
        metric="direct-bias",
        similarity="cosine",
        value=0.0805,
        neutral=0.0,
        meaning="Large: words lean.",
        interval=measured().interval,
        words=(),
    )


def test_measures_without_a_test_have_their_own_section() -> None:
    page = render([measured(), described_robustness()])
    assert "Other measures" in page
    assert "0.081" in page
    assert "Large: words lean." in page
    assert "Other measures" not in render([measured()])


def test_a_page_may_hold_measures_alone() -> None:
    page = render([described_robustness()])
    assert "Other measures" in page
    assert 'id="answer"' not in page
