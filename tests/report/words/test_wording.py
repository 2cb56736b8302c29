import re
from math import comb
from typing import get_args

import pytest

from fairvec.messages.verdicts import (
    VERDICT_LABELS,
    PageEntry,
    direction,
    effect_shade,
    geometry_name,
    is_robust,
    model_summary,
    outcome_line,
    p_method,
    smallest_p,
    tally,
)
from fairvec.report import render
from fairvec.report.arrange import all_series
from fairvec.results import Holds, PValue, VerdictKind
from tests.report.lists import TESTS
from tests.report.outcomes import a_run, measured, model, skipped, tried

ONE = TESTS[1]
NO_BREAK = "\N{NO-BREAK SPACE}"


@pytest.mark.parametrize(
    ("effect", "word", "way"),
    [
        (0.0, "negligible", "none"),
        (-0.19, "negligible", "negative"),
        (0.2, "small", "positive"),
        (-0.79, "medium", "negative"),
        (0.8, "large", "positive"),
    ],
)
def test_a_page_calls_sizes_as_cohen_does_and_direction_is_the_sign(
    effect: float, word: str, way: str
) -> None:
    page = render([measured(model("m"), ONE).model_copy(update={"effect": effect})])
    assert re.search(rf"<dd>d = [+−]?[\d.]+, {word}\b", page)
    assert direction(effect) == way


def test_every_verdict_has_a_word() -> None:
    assert set(get_args(VerdictKind)) <= set(VERDICT_LABELS)


@pytest.mark.parametrize(
    ("holds", "expected"),
    [(None, True), ("firm", True), ("thin", False), ("fragile", False), ("frequency", False)],
)
def test_evidence_is_firm_unless_other_words_say_otherwise(
    holds: Holds | None, expected: bool
) -> None:
    one = measured(model("m"), ONE)
    assert is_robust(one)
    assert is_robust(tried(one, holds)) is expected


def test_p_says_how_it_was_obtained() -> None:
    p = measured(model("m"), ONE).p
    assert p_method(p) == "two-sided, exact over 12,870 regroupings"
    certified = p.model_copy(update={"method": "certified", "low": 0.0102, "high": 0.0104})
    assert p_method(certified) == (
        "two-sided, certified between 0.0102 and 0.0104, over 12,870 regroupings"
    )
    sampled = p.model_copy(
        update={
            "method": "sampled",
            "sides": "greater",
            "samples": 100_000,
            "standard_error": 0.00031,
            "partitions": 10**18,
        }
    )
    assert p_method(sampled) == (
        "one-sided, greater, sampled, 100,000 draws of 1 × 10¹⁸ regroupings, "
        "Monte Carlo error 0.0003"
    )


def test_the_summary_counts_what_could_be_answered() -> None:
    by_label = {one.label: model_summary(one.entries) for one in all_series(a_run())}
    assert by_label["word2vec-google-news-300"] == [
        "Biased in gender (2 of 2 tests).",
        "No answer for age: skipped, too few words or no verdict.",
        "Harmless baseline associations found: 0 of 1, so its silence elsewhere says little.",
    ]
    assert by_label["glove-hi"] == [
        "Biased in caste (1 of 1 test).",
        "No evidence of bias in gender (1 test).",
    ]


def test_a_model_without_any_answer_is_not_called_unbiased() -> None:
    entries = [PageEntry("test-1", skipped(model("m"), ONE))]
    assert model_summary(entries) == ["No answer for gender: skipped, too few words or no verdict."]
    assert tally(entries) == "1 test: 1 skipped"


def test_a_skipped_test_says_why() -> None:
    outcome = skipped(model("m"), ONE)
    assert outcome_line(outcome).endswith(f"Skipped: {outcome.reason}")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("euclidean", "flat (Euclidean)"),
        ("poincare", "Poincaré ball"),
        ("poincare-x50", "50 Poincaré balls"),
    ],
)
def test_a_space_in_words(name: str, said: str) -> None:
    assert geometry_name(name) == said


def test_counts_and_probabilities_beyond_all_floats_are_written() -> None:
    p = measured(model("m"), TESTS[1]).p
    many = PValue(**(p.model_dump() | {"partitions": comb(16_000, 8_000), "smallest": 0.0}))
    assert many.partitions is None
    assert "over 1.9 × 10⁴⁸¹⁴ regroupings" in p_method(many).replace(NO_BREAK, " ")
    assert smallest_p(many).replace(NO_BREAK, " ") == "below 1 × 10⁻³⁰⁰"
    assert smallest_p(many.model_copy(update={"ties": ">"})) == "0"
    assert smallest_p(many.model_copy(update={"smallest": 0.03})) == "0.030"


def test_effects_that_differ_in_size_differ_in_colour() -> None:
    of = measured(model("m"), TESTS[1])
    steps = [
        effect_shade(of.model_copy(update={"effect": effect}))
        for effect in (0.1, 0.3, 0.6, 0.86, 1.28, 1.72)
    ]
    assert steps == [f"step-{n}" for n in range(1, 7)]
    assert effect_shade(of.model_copy(update={"effect": -1.28})) == effect_shade(
        of.model_copy(update={"effect": 1.28})
    )
