from hypothesis import given
from hypothesis import strategies as st

from fairvec.messages.figures import (
    MOST_DRAWN,
    MOST_NAMED,
    omitted_words_note,
    outermost_words,
    shorten_list,
)
from tests.report.plots.drawings import words


@given(st.lists(st.text("abc", min_size=1), max_size=2 * MOST_NAMED))
def test_all_words_are_named_or_counted(listed: list[str]) -> None:
    said, _, more = shorten_list(listed).partition(" and ")
    named = said.split(", ") if said else []
    assert named == listed[:MOST_NAMED]
    assert len(named) + int(more.partition(" ")[0] or 0) == len(listed)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=40), st.integers(1, 50))
def test_the_outermost_words_of_both_ends_are_kept(scores: list[float], most: int) -> None:
    listed = words("x", *scores)
    kept = outermost_words(listed, most)
    assert len(kept) == min(most, len(listed))
    if len(listed) <= most:
        assert kept == list(listed)
        return
    low, high = sorted(scores)[: most // 2], sorted(scores)[len(scores) - (most - most // 2) :]
    assert [word.score for word in kept] == [*low, *high]
    assert len({word.word for word in kept}) == most


def test_short_lists_need_no_note() -> None:
    short, long = words("x", *[0.1] * MOST_DRAWN), words("y", *[0.1] * (MOST_DRAWN + 1234))
    assert omitted_words_note(short, short) == ""
    assert "; 1,234 of 1,354 words are not" in omitted_words_note(short, long)
