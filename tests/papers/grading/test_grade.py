import pytest

from fairvec.papers.grades import GRADE_MEANINGS, GRADES, Grade, grade
from fairvec.papers.schema import PrintedFigure

PRINTED = PrintedFigure("d", "1.12", 1.12, 2)


def graded(
    ours: float | None,
    *,
    figure: PrintedFigure = PRINTED,
    own: bool = True,
    yours: bool = False,
    inconsistent: bool = False,
    convention: str = "",
) -> tuple[Grade, str]:
    return grade(
        figure,
        ours,
        is_the_papers=own,
        is_yours=yours,
        inconsistent=inconsistent,
        samples=None,
        explained=lambda: convention,
    )


def test_the_papers_own_model() -> None:
    assert graded(1.118) == ("matched", "")
    assert graded(1.2) == ("differs", "")
    assert graded(1.2, convention="caliskan") == ("differs by convention", "caliskan")
    assert graded(None) == ("skipped", "")


def test_a_contradiction_counts_only_where_nothing_matches() -> None:
    assert graded(1.118, inconsistent=True) == ("matched", "")
    assert graded(1.2, inconsistent=True, convention="caliskan") == (
        "inconsistent in the paper",
        "",
    )
    unprinted = PrintedFigure("d", "-", None, 0)
    assert graded(1.0, figure=unprinted, inconsistent=True)[0] == "inconsistent in the paper"


def test_words_are_no_number_to_match() -> None:
    words = PrintedFigure("share", "more than any other", None, 0)
    assert graded(0.4, figure=words) == ("in words", "")
    assert graded(0.4, figure=words, own=False) == ("different model", "")


@pytest.mark.parametrize("ours", [1.12, 0.0])
@pytest.mark.parametrize("inconsistent", [True, False])
def test_a_stand_in_never_matches(ours: float, inconsistent: bool) -> None:
    assert graded(ours, own=False, inconsistent=inconsistent) == ("different model", "")


@pytest.mark.parametrize("ours", [1.12, 0.0])
def test_a_model_of_the_users_neither_matches_nor_differs(ours: float) -> None:
    assert graded(ours, own=False, yours=True) == ("your model", "")


def test_a_match_is_not_explained() -> None:
    def expensive() -> str:
        raise AssertionError("the other conventions were tried for nothing")

    for own in (True, False):
        grade(
            PRINTED, 1.12, is_the_papers=own, inconsistent=False, samples=None, explained=expensive
        )


def test_every_grade_has_a_meaning() -> None:
    assert tuple(GRADE_MEANINGS) == GRADES
