"""The text with marks: every character is there, and every mark covers its own."""

import re

from hypothesis import example, given, settings
from hypothesis import strategies as st

from fairvec.report.documents.marked_text import is_dense, marked_text
from fairvec.results.documents import TextMark
from tests.report.sample_documents import document, marks_of
from tests.report.seen import Seen

MARKS = st.lists(
    st.tuples(
        st.integers(0, 40),
        st.integers(1, 40),
        st.sampled_from(["person", "describing", "occupation", "coded", "leaning"]),
        st.sampled_from(["a", "b", ""]),
        st.sampled_from(["one", "two"]),
    ),
    max_size=8,
)


@given(
    text=st.text(st.sampled_from("ab \n\r<&>'\"\u200dक्षी🙂"), min_size=1, max_size=40),
    places=MARKS,
)
@example(text="a\r\nb", places=[(0, 4, "leaning", "a", "one"), (1, 2, "person", "b", "two")])
@settings(max_examples=150, deadline=None)
def test_marks_that_overlap_leave_every_character_and_cover_their_own(
    text: str, places: list[tuple[int, int, str, str, str]]
) -> None:
    marks = [
        TextMark.model_validate(
            {"start": start, "end": end, "kind": kind, "side": side, "why": why}
        )
        for start, long, kind, side, why in places
        if (end := min(start + long, len(text))) > start
    ]
    html = str(marked_text(document("text", text, marks=marks), "d1"))
    assert "".join(Seen(html, "block", ("note",)).found) == text
    # Every kind covers exactly the characters that its marks cover.
    for kind in ("person", "describing", "occupation", "coded", "leaning"):
        covered = sorted(
            {at for mark in marks if mark.kind == kind for at in range(mark.start, mark.end)}
        )
        assert "".join(_inside(html, kind)) == "".join(text[at] for at in covered)
    # Every mark has its letters once, and every note stands there once.
    assert html.count("data-tag=") == len(marks)
    notes = {
        (mark.kind, mark.side, mark.why, text[mark.start : mark.end].casefold()) for mark in marks
    }
    assert html.count('class="note ') == html.count('tabindex="0"') == len(notes)


def _inside(html: str, kind: str) -> list[str]:
    """Return what stands inside marks of a kind, once also where they nest."""
    return Seen(html, kind, ("note",)).found


def test_a_mark_goes_on_over_a_block() -> None:
    text = "a line of words\n" * 300
    over = TextMark(start=100, end=len(text) - 100, kind="leaning", why="Long.")
    html = str(marked_text(document("text", text, marks=[over]), "d1"))
    assert "".join(Seen(html, "block", ("note",)).found) == text
    assert "".join(_inside(html, "leaning")) == text[100:-100]
    assert html.count('class="block"') == 3
    assert html.count("data-tag=") == html.count('id="d1n1"') == 1


def test_a_word_is_explained_once_with_its_count() -> None:
    text = "He and he and she. HE!"
    words = [("he", "person", "a", "pronoun", "A man."), ("she", "person", "b", "", "A woman.")]
    html = str(marked_text(document("text", text, marks=marks_of(text, words)), "d1"))
    assert Seen(html, "note").found == [
        "He × 3 pronoun · men. A man.",
        "she person · women. A woman.",
    ]
    assert re.findall(r'data-tag="(\w+)"', html) == ["Pm", "Pm", "Pw", "Pm"]


def test_marks_of_one_word_that_lean_otherwise_have_notes_of_their_own() -> None:
    marks = [
        TextMark(start=at, end=at + 2, kind="leaning", score=score, why="It leans.")
        for at, score in ((0, 0.1), (3, 0.1), (6, 0.2))
    ]
    html = str(marked_text(document("text", "it it it", marks=marks), "d1"))
    assert Seen(html, "note").found == [
        "it × 2 leaning · +0.10. It leans.",
        "it leaning · +0.20. It leans.",
    ]


def test_groups_that_begin_alike_are_a_and_b() -> None:
    read = document("text", "he", marks=[TextMark(start=0, end=2, kind="person", side="b", why="")])
    alike = read.model_copy(update={"groups": ("old", "other")})
    assert 'data-tag="Pb"' in marked_text(alike, "d1")


def test_where_notes_need_more_room_than_the_text_they_stay_beside_their_line() -> None:
    words = [(f"w{n}", "coded", "a", "", "A note of some length. " * 5) for n in range(9)]
    said = " and so on" * 12 + " "
    lines = [said.join(word for word, *_ in words[at : at + 3]) for at in (0, 3, 6)]
    text = "\n\n".join(lines)
    read = document("text", text, marks=marks_of(text, words))
    html = str(marked_text(read, "d1"))
    assert [block.strip() for block in Seen(html, "block", ("note",)).found] == lines
    assert "".join(Seen(html, "block", ("note",)).found) == text
    assert is_dense(read)
    spread = document("text", said * 20 + text, marks=marks_of(said * 20 + text, words))
    assert not is_dense(spread)


def test_a_long_text_has_no_element_a_word() -> None:
    text = "The weather was fine and nobody was there to see it.\n" * 5_000
    html = str(marked_text(document("text", text), "d1"))
    assert html.count("<div") < len(text) / 1_900
    assert html.count("<span") == 0
    words = [("nobody", "person", "", "", "Nobody.")]
    marked = str(marked_text(document("text", text, marks=marks_of(text, words)), "d1"))
    assert marked.count("<span") == 5_000 + 2  # the marks, and one note with its count
