import pytest

from fairvec.lexicon import shipped_suites
from fairvec.messages.reports import CATEGORIES, coverage_gaps, distinct_models
from fairvec.report import render
from fairvec.report.arrange import all_series, blocks, blocks_by_heading
from fairvec.report.summary import Summary, build_summary
from fairvec.results import CategoryAnswer, Holds, MetricIdentity, Outcome, Result
from tests.report.category_answers import with_answers
from tests.report.lists import TESTS
from tests.report.outcomes import a_run, measured, model, skipped, tried
from tests.report.seen import Seen

ENGLISH = [test for test in TESTS if test.language == "en"]


def of(outcomes: list[Outcome]) -> Summary:
    return build_summary(outcomes, all_series(outcomes), distinct_models(outcomes))


def answers(outcomes: list[Outcome]) -> list[CategoryAnswer]:
    return [one for one in outcomes if isinstance(one, CategoryAnswer)]


def test_every_answer_is_told_once_beside_the_tests_that_it_pools() -> None:
    outcomes = with_answers(a_run())
    found = blocks(all_series(outcomes), outcomes)
    told = [block.answer for block in found if block.answer]
    assert sorted(map(id, told)) == sorted(map(id, answers(outcomes)))
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
    for stranger in (other.model_copy(update={"metric": "seat"}), by_distance, hindi):
        outcomes: list[Outcome] = [one, *answers(with_answers([stranger]))]
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
        return of([measured(model(f"m{n}"), test) for n in range(count) for test in ENGLISH]).shape

    assert [shape(1), shape(4), shape(12)] == ["tests", "rows", "table"]


@pytest.mark.parametrize("count", [1, 3, 12])
def test_a_page_has_a_diamond_or_a_cell_for_each_answer_and_says_each(count: int) -> None:
    outcomes = with_answers(measured(model(f"m{n}"), t) for n in range(count) for t in ENGLISH)
    page = render(outcomes)
    found = answers(outcomes)
    drawn = page.count('class="diamond ')
    assert drawn == (0 if count == 12 else len(found))
    if count == 12:
        (shown,) = Seen(page, "pooled").found[:1]
        assert all(f"{one.effect:+.2f}".replace("-", "−") in shown for one in found)
    text = " ".join(" ".join(Seen(page, "said").found).split())
    for one in found:
        assert one.verdict.sentence in (page if count == 12 else text)


def test_without_answers_single_tests_are_counted() -> None:
    summary = of(a_run())
    assert not summary.pooled
    assert any("Biased in gender" in said for one in summary.models for said in one.others)


def test_the_question_names_the_categories() -> None:
    assert of([measured(model("m"), test) for test in ENGLISH[:2]]).question == (
        "Does m carry a bias of gender, how large is it, and how sure is that?"
    )


def test_an_answer_in_a_convention_of_its_own_belongs_to_the_tests_it_pools() -> None:
    one = measured(model("m"), ENGLISH[1])
    population = one.convention.model_copy(update={"name": "population"})
    described = MetricIdentity(
        name="weat", needs=(), neutral=0.0, meaning="", convention=population, settings={}
    )
    two = one.model_copy(update={"described": described, "convention": population})
    (pooled,) = answers(with_answers([two]))
    pooled = pooled.model_copy(update={"convention": one.convention, "described": described})
    outcomes: list[Outcome] = [two, pooled]
    assert [block.answer for block in blocks(all_series(outcomes), outcomes)] == [pooled]


def test_an_answer_whose_tests_are_not_here_is_told_all_the_same() -> None:
    one = measured(model("m"), ENGLISH[1])
    (answer,) = answers(with_answers([one]))
    said = answer.verdict.model_copy(update={"sentence": "Gender: biased in another way."})
    other = answer.model_copy(update={"verdict": said})
    runs: list[list[Outcome]] = [[answer], [one, answer, other], [answer, answer]]
    for outcomes in runs:
        shown = Seen(render(outcomes), "said").found
        assert len(shown) == len({id(told) for told in answers(outcomes)})
    assert [told.label for told in of([answer]).models] == ["m"]


def test_the_question_keeps_names_as_they_are_written_and_counts_very_many() -> None:
    one = measured(model("m"), ENGLISH[1])

    def question(names: list[str]) -> str:
        tests = (one.test.model_copy(update={"id": f"s/{n}", "category": n}) for n in names)
        return of([one.model_copy(update={"test": test}) for test in tests]).question

    assert "a bias of gender, Gender and LGBT, how" in question(["gender", "Gender", "LGBT"])
    assert "c10, c11 and 8 more, how" in question([f"c{n}" for n in range(20)])


def test_evidence_that_is_not_firm_has_a_mark_and_a_line_in_the_legend() -> None:
    one = measured(model("m"), ENGLISH[1], 2.4)
    assert one.verdict.kind == "biased"
    tries: dict[Holds, bool] = {"firm": False, "thin": True, "fragile": True, "frequency": True}
    for holds, drawn in tries.items():
        page = render(with_answers([tried(one, holds)]))
        assert ('class="dot doubtful"' in page) is drawn
        assert ("A small dot in a broken ring" in page) is drawn


def test_a_page_names_what_it_is_silent_on() -> None:
    outcomes = a_run()
    said = {gap.title: gap.text for gap in coverage_gaps(outcomes)}
    assert "in Russian nothing about race, religion" in said["Not asked"]
    assert "gender" not in said["Not asked"]
    assert "1 test has no answer in poincare-glove" in said["Skipped"]
    assert "Words not found" not in said
    assert "No answer here rules out" in said["Beyond such tests"]


def test_missing_words_are_counted_and_some_are_named() -> None:
    one = measured(model("m"), ENGLISH[1])
    lost = {f"word{n}": "not in the vocabulary" for n in range(9)}
    group = one.coverage[0].model_copy(update={"missing": lost})
    result: Result = one.model_copy(update={"coverage": (group, *one.coverage[1:])})
    (gap,) = (gap for gap in coverage_gaps([result]) if gap.title == "Words not found")
    wanted = sum(group.wanted for group in one.coverage)
    assert gap.text.startswith(f"m lacks 9 of {wanted} entries")
    assert gap.text.endswith("word0, word1, word2, word3, word4, word5 and 3 more.")


def test_a_test_that_was_left_out_and_not_skipped_is_named() -> None:
    outcomes = with_answers([measured(model("m"), ENGLISH[1])])
    outcomes[-1] = outcomes[-1].model_copy(update={"left_out": ("suite/odd (why)",)})
    assert [gap.text for gap in coverage_gaps(outcomes) if gap.title == "Not pooled"] == [
        "Not part of their category's answer: suite/odd (why)."
    ]


def test_every_category_of_a_shipped_suite_is_known() -> None:
    shipped = {test.category for suite in shipped_suites() for test in suite.tests}
    assert shipped - {"baseline"} <= set(CATEGORIES)
