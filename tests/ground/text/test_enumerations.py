from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.format import first_of, listed, listed_up_to

NAMES = st.lists(st.text("abc", min_size=1), max_size=30)


def test_a_list_reads_as_a_sentence() -> None:
    said = [listed(["a", "b", "c"][:n]) for n in range(4)]
    assert said == ["", "a", "a and b", "a, b and c"]
    assert listed(["a", "b", "c"], "or") == "a, b or c"


@given(NAMES, st.integers(1, 20))
def test_all_names_are_given_or_counted(names: list[str], most: int) -> None:
    said, _, more = first_of(names, most).partition(" and ")
    given = said.split(", ") if said else []
    assert given == names[:most]
    assert len(given) + int(more.partition(" ")[0] or 0) == len(names)
    assert bool(more) == (len(names) > most)


@given(NAMES, st.integers(1, 20))
def test_few_names_are_listed_and_of_many_the_first(names: list[str], most: int) -> None:
    whole = len(names) <= most
    assert listed_up_to(names, most) == (listed(names) if whole else first_of(names, most))


def test_thousands_are_written_apart() -> None:
    assert first_of(["a"] * 1002, 2) == "a, a and 1,000 more"
