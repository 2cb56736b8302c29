"""What stands where on the report's page."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.format import group_by
from fairvec.lexicon import shipped_suites
from fairvec.messages.categories import NOT_POOLED
from fairvec.messages.reports import CATEGORIES, coverage_gaps, distinct_models
from fairvec.report import render
from fairvec.report.arrange import (
    NARROWEST,
    ROOM,
    all_series,
    blocks,
    blocks_by_heading,
    group_by_category,
    panels,
    pooled_tables,
    side_by_side,
)
from fairvec.report.summary import Summary, build_summary
from fairvec.results import Outcome, Result
from fairvec.results.identities import MetricIdentity
from fairvec.results.records import CategoryAnswer, UnpooledTest
from fairvec.results.verdicts import RobustnessKind
from tests.report.helpers import ElementTexts
from tests.report.outcomes import (
    TESTS,
    a_run,
    identity,
    measured,
    model,
    skipped,
    with_answers,
    with_robustness,
)

# --- arrange ---


ONE, OTHER = TESTS[1], TESTS[2]


def test_groups_keep_the_order_of_first_appearance() -> None:
    assert group_by("banana", str.upper) == {"B": ["b"], "A": ["a"] * 3, "N": ["n"] * 2}


def test_every_outcome_has_one_address() -> None:
    entries = [entry for one in all_series(a_run()) for entry in one.entries]
    assert sorted({entry.address for entry in entries}) == sorted(e.address for e in entries)
    assert [bool(entry.result) for entry in entries] == [not entry.skipped for entry in entries]
    assert len(entries) == len(a_run())


def test_models_that_answered_the_same_suite_are_compared() -> None:
    found = panels(all_series(a_run()))
    assert [[one.label for one in panel.series] for panel in found] == [
        ["glove-6b-100d", "poincare-glove", "word2vec-google-news-300"],
        ["navec-news"],
        ["glove-hi"],
    ]
    assert [panel.suites for panel in found] == [("caliskan2017",), ("pestova",), ("malik2022",)]


def test_a_suite_that_only_one_model_answered_is_separate() -> None:
    first, second = model("first"), model("second")
    outcomes = [measured(first, ONE), measured(second, ONE), measured(first, TESTS[4])]
    assert [len(panel.series) for panel in panels(all_series(outcomes))] == [2, 1]


def test_baselines_come_last_and_each_test_once() -> None:
    categories = group_by_category([identity(test) for test in (*TESTS, *TESTS)])
    assert [*map(str, categories)] == ["Gender", "Age", "Caste", "Baseline"]
    assert sum(len(tests) for tests in categories.values()) == len(TESTS)


def test_what_a_model_should_know_is_separate_from_its_biases() -> None:
    grammar = identity(ONE, id="grammar", kind="meaningful-encoding")
    assert [*map(str, group_by_category([identity(TESTS[0]), grammar, identity(ONE)]))] == [
        "Gender",
        "Gender, meaningful encoding",
        "Baseline",
    ]


def test_labels_hold_only_what_distinguishes_models() -> None:
    flat = model("m")
    result = measured(flat, ONE)
    other_convention = result.convention.model_copy(update={"name": "population"})
    outcomes = [
        result,
        measured(flat, ONE, similarity="negative-distance"),
        measured(flat, ONE, convention=other_convention),
        measured(model("n"), ONE),
    ]
    assert [one.label for one in all_series(outcomes)] == [
        "m, cosine, caliskan",
        "m, negative-distance, caliskan",
        "m, cosine, population",
        "n",
    ]


def test_namesakes_with_other_vectors_are_distinguished_by_hash() -> None:
    outcomes = [measured(model("m", sha256=letter * 64), ONE) for letter in "ab"]
    assert [one.label for one in all_series(outcomes)] == ["m, aaaaaaaa", "m, bbbbbbbb"]


def test_a_skipped_test_belongs_to_every_convention_of_its_model() -> None:
    flat = model("m")
    result = measured(flat, ONE)
    population = result.convention.model_copy(update={"name": "population"})
    outcomes: list[Outcome] = [result, measured(flat, ONE, convention=population)]
    outcomes += [skipped(flat, OTHER)]
    assert [len(one.entries) for one in all_series(outcomes)] == [2, 2]
    assert [one.label for one in all_series([skipped(flat, OTHER)])] == ["m"]


def test_names_that_differ_in_case_are_two_topics_and_no_letter_is_made_small() -> None:
    names = ["gender", "Gender", "LGBT people"]
    found = group_by_category([identity(ONE, id=f"s/{name}", category=name) for name in names])
    assert [topic.category for topic in found] == names
    assert [*map(str, found)] == ["Gender", "Gender", "LGBT people"]


def test_an_intended_association_is_separate_from_a_bias_of_the_same_category() -> None:
    tests = [identity(ONE, id=f"s/{kind}", kind=kind) for kind in ("baseline", "bias")]
    assert [*map(str, group_by_category(tests))] == ["Gender", "Gender, baseline"]


# --- pooled table ---


ONE_POOLED_TABLE = TESTS[1]


def of(models: list[str], categories: list[str]) -> list[Outcome]:
    found = []
    for name in models:
        one = measured(model(name), ONE_POOLED_TABLE)
        for category in categories:
            renamed = one.test.model_copy(update={"id": f"s/{category}", "category": category})
            found.append(one.model_copy(update={"test": renamed}))
    return with_answers(found)


def shapes(outcomes: list[Outcome]) -> list[tuple[int, int]]:
    series = all_series(outcomes)
    tables = pooled_tables(series, blocks(series, outcomes))
    return [(len(table.rows), len(table.columns)) for table in tables]


def test_models_share_a_table_only_if_they_are_comparable() -> None:
    topics = [f"c{n}" for n in range(20)]
    assert shapes(of(["one", "two"], topics)) == [(20, 2)]
    many = shapes(of([f"a-model-{n}" for n in range(12)], topics))
    assert {rows for rows, _ in many} == {12}
    assert sum(columns for _, columns in many) == 20
    assert max(columns for _, columns in many) <= ROOM // NARROWEST


@given(st.lists(st.text(max_size=40), max_size=40))
def test_every_heading_has_a_place_and_none_two(headings: list[str]) -> None:
    parts = side_by_side(headings)
    assert [place for part in parts for place in part] == [*range(len(headings))]
    assert all(parts)
    assert all(len(part) * (NARROWEST + 2) <= ROOM for part in parts)


def test_names_equal_but_for_case_have_columns_of_their_own() -> None:
    outcomes = of([f"m{n}" for n in range(20)], ["gender", "Gender"])
    assert shapes(outcomes) == [(20, 2)]
    assert render(outcomes).count('<a href="#answer" title=') == 40


def test_findings_keep_their_sentences_in_a_long_table_and_the_rest_is_counted() -> None:
    outcomes = of(["one", "two"], [f"c{n}" for n in range(20)])
    outcomes = [
        _of_kind(one, "mixed" if one.test.category == "c3" else "no-evidence") for one in outcomes
    ]
    page = render(outcomes)
    assert len(ElementTexts(page, "said").found) == 2
    assert "No evidence: c0, c1, c2, c4" in page
    assert 'class="findings"' not in page


def test_very_many_findings_are_folded() -> None:
    outcomes = [_of_kind(one, "biased") for one in of(["one", "two"], [f"c{n}" for n in range(20)])]
    page = render(outcomes)
    (folded,) = ElementTexts(page, "findings").found
    assert "The 40 findings in sentences" in folded
    assert len(ElementTexts(page, "said").found) == 40


def test_a_table_longer_than_two_pages_is_announced() -> None:
    assert "more than two pages" not in render(of(["one", "two"], [f"c{n}" for n in range(20)]))
    assert "may print on more than two pages" in render(of(["m"], [f"c{n}" for n in range(90)]))


def _of_kind(one: Outcome, kind: str) -> Outcome:
    if one.status != "pooled":
        return one
    return one.model_copy(update={"verdict": one.verdict.model_copy(update={"kind": kind})})


def test_of_very_many_models_those_with_findings_are_listed_and_the_table_has_the_rest() -> None:
    models = [f"m{n}" for n in range(20)]
    outcomes = [
        _of_kind(one, "biased" if one.model.name == "m7" else "no-evidence")
        for one in of(models, ["age", "gender"])
    ]
    page = render(outcomes)
    (lede,) = ElementTexts(page, "lede").found[:1]
    assert [name for name in models if name in lede.split()] == ["m7"]
    assert len(ElementTexts(page, "said").found) == 2
    assert "No evidence: " not in lede
    assert page.count('<a href="#answer" title=') == 40


# --- summary ---


ENGLISH = [test for test in TESTS if test.language == "en"]


def of_summary(outcomes: list[Outcome]) -> Summary:
    return build_summary(outcomes, all_series(outcomes), distinct_models(outcomes))


def answers(outcomes: list[Outcome]) -> list[CategoryAnswer]:
    return [one for one in outcomes if isinstance(one, CategoryAnswer)]


def test_every_answer_appears_once_with_the_tests_that_it_pools() -> None:
    outcomes = with_answers(a_run())
    found = blocks(all_series(outcomes), outcomes)
    block_answers = [block.answer for block in found if block.answer]
    assert sorted(map(id, block_answers)) == sorted(map(id, answers(outcomes)))
    for block in found:
        if block.answer:
            pooled = {one.test for one in block.answer.tests}
            assert pooled == {result.test.id for result in block.results}
            assert all(result.model == block.answer.model for result in block.results)
        else:
            assert block.kind != "bias" or not block.results


def test_an_answer_belongs_to_one_model_one_metric_and_one_language() -> None:
    one, other = measured(model("m"), ENGLISH[1]), measured(model("m", words=9), ENGLISH[1])
    by_distance = one.model_copy(update={"similarity": "negative-distance"})
    hindi = one.model_copy(update={"test": one.test.model_copy(update={"language": "hi"})})
    for unrelated in (other.model_copy(update={"metric": "seat"}), by_distance, hindi):
        outcomes: list[Outcome] = [one, *answers(with_answers([unrelated]))]
        assert [block.answer for block in blocks(all_series(outcomes), outcomes)] == [None]


def test_two_languages_of_one_model_are_two_answers() -> None:
    one = measured(model("m"), ENGLISH[1])
    hindi = one.test.model_copy(update={"language": "hi", "id": "s/t", "suite": "s"})
    outcomes = with_answers([one, one.model_copy(update={"test": hindi})])
    found = blocks(all_series(outcomes), outcomes)
    assert [str(block.topic) for block in found] == ["Gender (en)", "Gender (hi)"]
    assert [block.answer and block.answer.test.language for block in found] == ["en", "hi"]


def test_what_is_no_bias_comes_last_and_a_category_without_a_figure_not_at_all() -> None:
    outcomes: list[Outcome] = [
        measured(model("m"), ENGLISH[0]),
        measured(model("m"), ENGLISH[1]),
        skipped(model("m"), next(test for test in ENGLISH if test.category == "age")),
    ]
    assert [*map(str, blocks_by_heading(blocks(all_series(outcomes), outcomes)))] == [
        "Gender",
        "Baseline",
    ]
    page = render(outcomes)
    assert ">Age</p>" not in page
    assert "1 test has no answer in m" in page


def test_the_plot_grows_coarser_with_the_number_of_models() -> None:
    def shape(count: int) -> str:
        return of_summary(
            [measured(model(f"m{n}"), test) for n in range(count) for test in ENGLISH]
        ).shape

    assert [shape(1), shape(4), shape(12)] == ["tests", "rows", "table"]


@pytest.mark.parametrize("count", [1, 3, 12])
def test_a_page_has_a_diamond_or_a_cell_and_a_sentence_for_each_answer(count: int) -> None:
    outcomes = with_answers(measured(model(f"m{n}"), t) for n in range(count) for t in ENGLISH)
    page = render(outcomes)
    found = answers(outcomes)
    expected = page.count('class="diamond ')
    assert expected == (0 if count == 12 else len(found))
    if count > 1:
        (shown,) = ElementTexts(page, "pooled").found[:1]
        assert all(f"{one.effect:+.2f}".replace("-", "−") in shown for one in found)
        # Side by side first, then in sentences, then what the models are.
        places = [page.index(part) for part in ('"plain matrix pooled"', '"said"', '"plain asked"')]
        assert places == sorted(places)
    text = " ".join(" ".join(ElementTexts(page, "said").found).split())
    for one in found:
        assert one.verdict.sentence in (page if count == 12 else text)


def test_without_answers_single_tests_are_counted() -> None:
    summary = of_summary(a_run())
    assert not summary.pooled
    assert any("Biased in gender" in sentence for one in summary.models for sentence in one.others)


def test_the_question_names_the_categories() -> None:
    found = of_summary([measured(model("m"), test) for test in ENGLISH[:2]])
    assert found.question.startswith("Does m show bias by gender? ")


def test_an_answer_belongs_to_the_tests_of_its_convention() -> None:
    one = measured(model("m"), ENGLISH[1])
    population = one.convention.model_copy(update={"name": "population"})
    described = MetricIdentity(
        name="weat", needs=(), neutral=0.0, meaning="", convention=population, settings={}
    )
    two = one.model_copy(update={"described": described, "convention": population})
    (pooled,) = answers(with_answers([two]))
    pooled = pooled.model_copy(update={"convention": population, "described": described})
    outcomes: list[Outcome] = [two, pooled]
    assert [block.answer for block in blocks(all_series(outcomes), outcomes)] == [pooled]


def test_an_answer_without_its_tests_is_still_reported() -> None:
    one = measured(model("m"), ENGLISH[1])
    (answer,) = answers(with_answers([one]))
    verdict = answer.verdict.model_copy(update={"sentence": "Gender: biased in another way."})
    other = answer.model_copy(update={"verdict": verdict})
    runs: list[list[Outcome]] = [[answer], [one, answer, other], [answer, answer]]
    for outcomes in runs:
        shown = ElementTexts(render(outcomes), "said").found
        assert len(shown) == len({id(one) for one in answers(outcomes)})
    assert [one.label for one in of_summary([answer]).models] == ["m"]


def test_the_question_keeps_names_as_they_are_written_and_counts_very_many() -> None:
    one = measured(model("m"), ENGLISH[1])

    def question(names: list[str]) -> str:
        tests = (one.test.model_copy(update={"id": f"s/{n}", "category": n}) for n in names)
        return of_summary([one.model_copy(update={"test": test}) for test in tests]).question

    assert "by gender, Gender and LGBT? " in question(["gender", "Gender", "LGBT"])
    assert "c10, c11 and 8 more? " in question([f"c{n}" for n in range(20)])


def test_evidence_that_is_not_firm_has_a_mark_and_a_line_in_the_legend() -> None:
    one = measured(model("m"), ENGLISH[1], 2.4)
    assert one.verdict.kind == "biased"
    tries: dict[RobustnessKind, bool] = {
        "firm": False,
        "thin": True,
        "fragile": True,
        "frequency": True,
    }
    for robustness, expected in tries.items():
        page = render(with_answers([with_robustness(one, robustness)]))
        assert ('class="dot doubtful"' in page) is expected
        assert ("dot in a broken ring" in page) is expected


def test_a_page_names_what_it_is_silent_on() -> None:
    outcomes = a_run()
    texts = {gap.title: gap.text for gap in coverage_gaps(outcomes)}
    (russian,) = (part for part in texts["Not tested"].split("; ") if "Russian" in part)
    assert "race, religion" in russian
    assert "gender" not in texts["Not tested"]
    assert "1 test has no answer in poincare-glove" in texts["Skipped"]
    assert texts["Words not found"].startswith("poincare-glove lacks ")
    assert "No answer here rules out" in texts["Beyond these tests"]


def test_missing_words_are_counted_and_some_are_named() -> None:
    one = measured(model("m"), ENGLISH[1])
    lost = {f"word{n}": "not in the vocabulary" for n in range(9)}
    group = one.coverage[0].model_copy(update={"missing": lost})
    result: Result = one.model_copy(update={"coverage": (group, *one.coverage[1:])})
    (gap,) = (gap for gap in coverage_gaps([result]) if gap.title == "Words not found")
    total = sum(group.wanted for group in one.coverage)
    assert gap.text.startswith(f"m lacks 9 of the {total} list entries ")
    assert gap.text.endswith("word0, word1, word2, word3, word4, word5 and 3 more.")


@pytest.mark.parametrize("skipped_tests", range(4))
def test_every_word_of_every_selected_test_is_counted(skipped_tests: int) -> None:
    """Whether it was measured or skipped, and however many metrics asked it, a test counts once."""
    outcomes: list[Outcome] = []
    for number, test in enumerate(ENGLISH[:3]):
        one = measured(model("m"), test)
        lost = {f"word{number}-{n}": "not in the vocabulary" for n in range(number + 1)}
        group = one.coverage[0].model_copy(update={"missing": lost})
        one = one.model_copy(update={"coverage": (group, *one.coverage[1:])})
        outcome = (
            skipped(model("m"), test, coverage=one.coverage) if number < skipped_tests else one
        )
        outcomes += [outcome, outcome.model_copy(update={"metric": "another"})]
    by_test = {one.test.id: one.coverage for one in outcomes}
    total = sum(group.wanted for coverage in by_test.values() for group in coverage)
    (gap,) = (gap for gap in coverage_gaps(outcomes) if gap.title == "Words not found")
    assert gap.text.startswith(f"m lacks 6 of the {total} list entries ")


def test_a_test_that_was_left_out_and_not_skipped_is_named() -> None:
    outcomes = with_answers([measured(model("m"), ENGLISH[1])])
    odd = UnpooledTest(test="suite/odd", reason="no-lists")
    outcomes[-1] = outcomes[-1].model_copy(update={"left_out": (odd,)})
    assert [gap.text for gap in coverage_gaps(outcomes) if gap.title == "Not pooled"] == [
        f"Not part of their category's answer: suite/odd ({NOT_POOLED['no-lists']})."
    ]


def test_every_category_of_a_shipped_suite_is_known() -> None:
    shipped = {test.category for suite in shipped_suites() for test in suite.tests}
    assert shipped - {"baseline"} <= set(CATEGORIES)
