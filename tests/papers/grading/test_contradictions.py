from fairvec.papers import load_paper, parse_paper
from fairvec.papers.grades import printed_twice
from tests.papers.printed.test_paper import PAPER


def test_a_figure_printed_twice_and_not_alike_is_found() -> None:
    again = PAPER.replace('test = "b2"', 'test = "b1"').replace('"0.5 0.6"', '"0.10 0.3"')
    found = printed_twice(parse_paper(again))
    assert {(cell.row, quantity) for cell, quantity in found} == {("first", "p"), ("second", "p")}
    assert set(found.values()) == {"The paper prints p = 0.2 in Table 1, 0.3 in Table 1."}


def test_the_papers_own_contradictions() -> None:
    found = printed_twice(load_paper("malik2022"))
    assert {(cell.table, cell.test.partition("/")[2], quantity) for cell, quantity in found} == {
        ("table-2", "gender-adjectives", "d"),
        ("table-3", "gender-adjectives", "d"),
        ("table-1", "science-arts", "p"),
        ("table-2", "science-arts", "p"),
        ("table-3", "science-arts", "p"),
    }
    assert "The paper prints d = 1.21 in Table 2, 1.22 in Table 3." in found.values()
    assert not printed_twice(load_paper("kumar2020"))
    assert not printed_twice(load_paper("pestova"))
    assert not printed_twice(load_paper("bharti2021"))
