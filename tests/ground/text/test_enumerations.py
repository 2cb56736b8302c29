from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.format import join_first, join_up_to, join_words

NAMES = st.lists(st.text("abc", min_size=1), max_size=30)


def test_a_list_reads_as_a_sentence() -> None:
    said = [join_words(["a", "b", "c"][:n]) for n in range(4)]
    assert said == ["", "a", "a and b", "a, b and c"]
    assert join_words(["a", "b", "c"], "or") == "a, b or c"


@given(NAMES, st.integers(1, 20))
def test_all_names_are_given_or_counted(names: list[str], most: int) -> None:
    said, _, more = join_first(names, most).partition(" and ")
    given = said.split(", ") if said else []
    assert given == names[:most]
    assert len(given) + int(more.partition(" ")[0] or 0) == len(names)
    assert bool(more) == (len(names) > most)


@given(NAMES, st.integers(1, 20))
def test_few_names_are_listed_and_of_many_the_first(names: list[str], most: int) -> None:
    whole = len(names) <= most
    assert join_up_to(names, most) == (join_words(names) if whole else join_first(names, most))


def test_thousands_are_written_apart() -> None:
    assert join_first(["a"] * 1002, 2) == "a, a and 1,000 more"
