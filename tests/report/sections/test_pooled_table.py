from hypothesis import given
from hypothesis import strategies as st

from fairvec.report import render
from fairvec.report.arrange import NARROWEST, ROOM, all_series, blocks, pooled_tables, side_by_side
from fairvec.results import Outcome
from tests.report.category_answers import with_answers
from tests.report.lists import TESTS
from tests.report.outcomes import measured, model
from tests.report.seen import Seen

ONE = TESTS[1]


def of(models: list[str], categories: list[str]) -> list[Outcome]:
    found = []
    for name in models:
        one = measured(model(name), ONE)
        for category in categories:
            asked = one.test.model_copy(update={"id": f"s/{category}", "category": category})
            found.append(one.model_copy(update={"test": asked}))
    return with_answers(found)


def shapes(outcomes: list[Outcome]) -> list[tuple[int, int]]:
    series = all_series(outcomes)
    tables = pooled_tables(series, blocks(series, outcomes))
    return [(len(table.rows), len(table.columns)) for table in tables]


def test_models_stand_beside_one_another_only_if_they_fit() -> None:
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
    assert len(Seen(page, "said").found) == 2
    assert "No evidence: c0, c1, c2, c4" in page
    assert 'class="findings"' not in page


def test_very_many_findings_are_folded() -> None:
    outcomes = [_of_kind(one, "biased") for one in of(["one", "two"], [f"c{n}" for n in range(20)])]
    page = render(outcomes)
    (folded,) = Seen(page, "findings").found
    assert "The 40 findings in sentences" in folded
    assert len(Seen(page, "said").found) == 40


def test_a_table_longer_than_two_pages_says_so() -> None:
    assert "more than two pages" not in render(of(["one", "two"], [f"c{n}" for n in range(20)]))
    assert "may print on more than two pages" in render(of(["m"], [f"c{n}" for n in range(90)]))


def _of_kind(one: Outcome, kind: str) -> Outcome:
    if one.status != "pooled":
        return one
    return one.model_copy(update={"verdict": one.verdict.model_copy(update={"kind": kind})})


def test_of_very_many_models_those_with_findings_are_told_and_the_table_shows_the_rest() -> None:
    models = [f"m{n}" for n in range(20)]
    outcomes = [
        _of_kind(one, "biased" if one.model.name == "m7" else "no-evidence")
        for one in of(models, ["age", "gender"])
    ]
    page = render(outcomes)
    (told,) = Seen(page, "lede").found[:1]
    assert [name for name in models if name in told.split()] == ["m7"]
    assert len(Seen(page, "said").found) == 2
    assert "No evidence: " not in told
    assert page.count('<a href="#answer" title=') == 40
