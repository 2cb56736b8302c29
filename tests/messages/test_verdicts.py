"""Sentences about verdicts and categories."""

import re
from math import comb
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.experiments.audit.categories import category_answers
from fairvec.messages.categories import (
    ModelAnswers,
    category_parts,
    diamond_label,
    join_names,
    pooled_label,
)
from fairvec.messages.figures import (
    MOST_DRAWN,
    MOST_NAMED,
    NO_BREAK,
    keep_together,
    omitted_words_note,
    outermost_words,
    shorten_list,
)
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
from fairvec.results import PValue
from fairvec.results.records import CategoryAnswer
from fairvec.results.verdicts import RobustnessKind, VerdictKind
from tests.experiments.toys import Drawn, outcomes_of, suite_of
from tests.report.helpers import words
from tests.report.outcomes import TESTS, a_run, answer, measured, model, skipped, with_robustness

# --- verdicts ---


ONE = TESTS[1]
NO_BREAK_VERDICTS = "\N{NO-BREAK SPACE}"


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
    ("robustness", "expected"),
    [(None, True), ("firm", True), ("thin", False), ("fragile", False), ("frequency", False)],
)
def test_evidence_is_firm_unless_other_words_disagree(
    robustness: RobustnessKind | None, expected: bool
) -> None:
    one = measured(model("m"), ONE)
    assert is_robust(one)
    assert is_robust(with_robustness(one, robustness)) is expected


def test_p_names_its_method() -> None:
    p = measured(model("m"), ONE).p
    assert "exact" in p_method(p)
    assert "12,870" in p_method(p)
    bounds = {"method": "certified", "low": 0.0102, "high": 0.0104}
    certified = p_method(p.model_copy(update=bounds))
    assert all(figure in certified for figure in ("0.0102", "0.0104", "12,870"))
    sampled = p.model_copy(
        update={
            "method": "sampled",
            "sides": "greater",
            "samples": 100_000,
            "standard_error": 0.00031,
            "partitions": 10**18,
        }
    )
    assert "one-sided" in p_method(sampled)
    assert all(each in p_method(sampled) for each in ("100,000", "10¹⁸", "0.0003"))


def test_the_summary_counts_what_could_be_answered() -> None:
    by_label = {one.label: model_summary(one.entries) for one in all_series(a_run())}
    assert by_label["word2vec-google-news-300"] == [
        "Biased in gender (2 of 2 tests).",
        "No answer for age (skipped, too few words or no verdict).",
        "Failed its only sanity check (harmless baseline associations), so “no evidence” "
        "elsewhere means little.",
    ]
    assert by_label["glove-hi"] == [
        "Biased in caste (1 of 1 test).",
        "No evidence of bias for gender (1 test).",
    ]


def test_a_model_without_any_answer_is_not_called_unbiased() -> None:
    entries = [PageEntry("test-1", skipped(model("m"), ONE))]
    assert model_summary(entries) == [
        "No answer for gender (skipped, too few words or no verdict)."
    ]
    assert tally(entries) == "1 test: 1 skipped"


def test_a_skipped_test_has_a_reason() -> None:
    outcome = skipped(model("m"), ONE)
    assert outcome_line(outcome).endswith(f"Skipped: {outcome.reason}")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("euclidean", "flat (Euclidean)"),
        ("poincare", "Poincaré ball"),
        ("poincare-x50", "50 Poincaré balls"),
    ],
)
def test_a_space_in_words(name: str, expected: str) -> None:
    assert geometry_name(name) == expected


def test_counts_and_probabilities_beyond_all_floats_are_written() -> None:
    p = measured(model("m"), TESTS[1]).p
    many = PValue(**(p.model_dump() | {"partitions": comb(16_000, 8_000), "smallest": 0.0}))
    assert many.partitions is None
    assert "over 1.9 × 10⁴⁸¹⁴ regroupings" in p_method(many).replace(NO_BREAK_VERDICTS, " ")
    assert smallest_p(many).replace(NO_BREAK_VERDICTS, " ") == "below 1 × 10⁻³⁰⁰"
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


# --- categories ---


def an_answer(category: str = "gender", kind: str = "biased", **of: object) -> CategoryAnswer:
    one = answer([measured(model("m"), TESTS[1])])
    fields = {"kind": kind, **{key: of.pop(key) for key in ("sentence",) if key in of}}
    test = one.test.model_copy(update={"category": category, **of})
    return one.model_copy(update={"test": test, "verdict": one.verdict.model_copy(update=fields)})


@pytest.mark.parametrize(
    ("heading", "sentence", "parts"),
    [
        ("Gender", "Gender: biased. Words lean.", ("Gender: biased", ". Words lean.")),
        ("gender (en)", "gender (en): biased. Words.", ("gender (en): biased", ". Words.")),
        ("İx: y", "İx: y: biased.", ("İx: y: biased", ".")),
        ("", "Of gender nothing.", ("", "Of gender nothing.")),
    ],
)
def test_a_sentence_leads_with_its_heading_and_its_verdict(
    heading: str, sentence: str, parts: tuple[str, str]
) -> None:
    answer = an_answer(sentence=sentence).model_copy(update={"heading": heading})
    assert category_parts(answer) == parts


@pytest.mark.parametrize("languages", [("en",), ("en", "hi")])
def test_the_answer_of_a_run_has_the_heading_of_its_sentence(languages: tuple[str, ...]) -> None:
    suites = (suite_of(Drawn(seed=1), Drawn(seed=2), language=one) for one in languages)
    tests = [test for suite in suites for test in outcomes_of(suite)]
    assert category_answers(tests)
    for one in category_answers(tests):
        assert isinstance(one, CategoryAnswer)
        assert "".join(category_parts(one)) == one.verdict.sentence
        assert one.heading == ("Gender" if len(languages) == 1 else f"Gender ({one.test.language})")


def test_findings_are_listed_and_the_rest_is_counted() -> None:
    kinds = ["biased", "no-evidence", "mixed", "too-few-words", "inconclusive", "no-evidence"]
    answers = ModelAnswers("m", tuple(an_answer(f"c{n}", kind) for n, kind in enumerate(kinds)), ())
    assert [one.test.category for one in answers.findings] == ["c0", "c2", "c4"]
    assert answers.rest == ["No evidence: c1 and c5.", "Too few words: c3."]


def test_the_rest_names_its_language_where_there_are_two() -> None:
    both = [an_answer("age", "no-evidence", language=one) for one in ("en", "hi")]
    assert ModelAnswers("m", tuple(both), ()).rest == ["No evidence: age (en) and age (hi)."]


def test_of_very_many_names_the_rest_is_counted() -> None:
    assert join_names(["a", "b", "c"]) == "a, b and c"
    assert join_names([f"c{n}" for n in range(1012)]).endswith("c10, c11 and 1,000 more")


def test_one_test_is_not_together_with_any_other() -> None:
    results = [measured(model("m"), test) for test in TESTS[1:3]]
    assert pooled_label(answer(results[:1])) == "its only test"
    assert pooled_label(answer(results)) == "2 tests together"
    label = diamond_label(answer(results[:1]))
    assert label.startswith("m, gender: its only test · d = ")
    assert answer(results[:1]).size in label
    assert diamond_label(answer(results)).startswith("m, gender: 2 tests pooled · ")


def test_a_diamond_states_the_precision_of_its_p() -> None:
    one = an_answer()

    def how(**changes: object) -> str:
        p: PValue = one.p.model_copy(update={"value": 0.012, **changes})
        return diamond_label(one.model_copy(update={"p": p}))

    sampled = {"method": "sampled", "samples": 100_000, "low": 0.011, "high": 0.013}
    assert "p = 0.012, exact · corrected " in how()
    assert (
        "p = 0.012, sampled with 100,000 draws, 99\N{NO-BREAK SPACE}% sure between 0.011 and 0.013"
        in how(**sampled)
    )
    assert "p = 0.012, certified between 0.011 and 0.013" in how(
        **sampled | {"method": "certified"}
    )


# --- display ---


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("an effect (d +1.11, 95 % +0.87 to +1.30;", "an effect (d_+1.11, 95_%_+0.87_to_+1.30;"),
        ("d −0.34; p = 0.00001, corrected 0.00008)", "d_−0.34; p_=_0.00001, corrected_0.00008)"),
        ("sampled p ≤ 0.00001, corrected ≤ 0.00008", "sampled p_≤_0.00001, corrected_≤_0.00008"),
        ("differ (tau 0.31)", "differ (tau_0.31)"),
        ("ruled out (95 %); p = 1.2e-09.", "ruled out (95_%); p_=_1.2e-09."),
        (
            "difference = −0.012 in 39 % of shorter lists",
            "difference_=_−0.012 in 39_% of shorter lists",
        ),
        ("need 3 words or d of 2", "need 3 words or d of 2"),
    ],
)
def test_figures_stay_on_the_line_of_their_names(sentence: str, expected: str) -> None:
    assert keep_together(sentence) == expected.replace("_", NO_BREAK)


@given(st.text(alphabet="dp =%0159.+−to,;ax\N{NO-BREAK SPACE}") | st.text())
def test_only_spaces_change_and_only_once(sentence: str) -> None:
    spaced = keep_together(sentence)
    assert spaced.replace(NO_BREAK, " ") == sentence.replace(NO_BREAK, " ")
    assert keep_together(spaced) == spaced


# --- shortened ---


@given(st.lists(st.text("abc", min_size=1), max_size=2 * MOST_NAMED))
def test_all_words_are_named_or_counted(listed: list[str]) -> None:
    listing, _, more = shorten_list(listed).partition(" and ")
    named = listing.split(", ") if listing else []
    assert named == listed[:MOST_NAMED]
    assert len(named) + int(more.partition(" ")[0] or 0) == len(listed)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=40), st.integers(1, 50))
def test_the_outermost_words_of_both_ends_remain(scores: list[float], most: int) -> None:
    listed = words("x", *scores)
    outermost = outermost_words(listed, most)
    assert len(outermost) == min(most, len(listed))
    if len(listed) <= most:
        assert outermost == list(listed)
        return
    low, high = sorted(scores)[: most // 2], sorted(scores)[len(scores) - (most - most // 2) :]
    assert [word.score for word in outermost] == [*low, *high]
    assert len({word.word for word in outermost}) == most


def test_short_lists_need_no_note() -> None:
    short, long = words("x", *[0.1] * MOST_DRAWN), words("y", *[0.1] * (MOST_DRAWN + 1234))
    assert omitted_words_note(short, short) == ""
    assert "1,234 of 1,354 words" in omitted_words_note(short, long)
