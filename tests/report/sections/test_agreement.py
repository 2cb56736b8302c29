from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairvec
from fairvec.report import render
from fairvec.report.test_view import agreements
from fairvec.results import Description, GroupCoverage, Outcome, WordScore
from tests.report.test_page import Page
from tests.results.make import MODEL, TEST, measured

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
    assert {mark.text: mark.x for mark in one.marks} == {w: -s for w, s in TEN.items()}


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
def test_where_nothing_can_be_laid_side_by_side_nothing_is_shown(outcomes: list[Outcome]) -> None:
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


def test_figure_1_on_the_whole_models(shared_data: Path) -> None:
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
