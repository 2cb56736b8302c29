from statistics import fmean

import pytest

from fairvec.report import render
from fairvec.report.test_view import similarity_table
from fairvec.results import Result
from tests.report.lists import TESTS
from tests.report.outcomes import measured, model


def with_pairs(**changes: object) -> Result:
    """A result whose similarities are a word's place, and a hundredth of the attribute's."""
    result = measured(model("m"), TESTS[1])
    groups = [
        group.model_copy(update={"entries": {f"{group.role}{n}": f"{n}" for n in range(3)}})
        for group in result.coverage
    ]
    table = [[at + n / 100 for n in range(6)] for at in range(len(result.words))]
    return result.model_copy(update={"coverage": groups, "similarities": table} | changes)


def test_words_stand_in_the_order_of_their_leaning_with_their_own_numbers() -> None:
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
    whole = with_pairs()
    coverage = tuple(
        group.model_copy(update={"entries": {}}) if group.role == role else group
        for group in whole.coverage
    )
    left = sum(len(group.entries) for group in coverage if group.role in "ab")
    rows = tuple(row[:left] for row in whole.similarities)
    result = whole.model_copy(update={"coverage": coverage, "similarities": rows})
    assert similarity_table(result) is None
    assert result.test.title in render([result])


def test_a_test_shows_its_map_and_the_words_of_a_and_b() -> None:
    page = render([with_pairs()])
    assert page.count('class="heat"') == 1
    assert "a0, a1, a2" in page
    assert "b0, b1, b2" in page
