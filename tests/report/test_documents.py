"""The page about documents."""

import json
import re
import shlex
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fairvec.core.errors import SettingError
from fairvec.report.documents import page as documents_page
from fairvec.report.documents.changes import output_name
from fairvec.report.documents.figures import dominant_group, format_neutral, format_value
from fairvec.report.documents.marked_text import (
    LONG_LINE,
    block_ends,
    escape_text,
    is_dense,
    marked_text,
    shorten,
    utf16_offset,
)
from fairvec.report.documents.page import render_documents, write_document_report
from fairvec.results.documents import (
    AnnotatedDocument,
    DocumentLine,
    Edit,
    TextChange,
    apply_edits,
    conflicts,
    select_compatible,
)
from tests.laws.helpers import examples
from tests.report.helpers import ATTACK, ElementTexts, Page
from tests.report.sample_documents import (
    ENGLISH,
    a_folder,
    change,
    document,
    edit,
    english,
    figure,
    figures,
    flag,
    hindi,
    identity,
    mark,
    marks_of,
    russian,
)

# --- The page about documents: every character is there, everything is escaped, every change shows


def text_on(page: str) -> list[str]:
    """Return the text of every block of marked text; blocks of one document follow one another."""
    return ElementTexts(page, "with-notes", ("note", "diff")).found


@pytest.fixture(scope="module")
def page() -> str:
    return render_documents(a_folder())


def test_every_tag_closes_and_every_id_is_one(page: str) -> None:
    seen = ElementTexts(page, "html")
    assert seen.stack == []
    ids = [attributes["id"] for _, attributes in seen.tags if "id" in attributes]
    assert len(ids) > 60
    assert len(ids) == len(set(ids))
    expected = {
        *(a["href"].removeprefix("#") for t, a in seen.tags if t == "a" and a["href"]),
        *(a["for"] for t, a in seen.tags if t == "label" and "for" in a),
        *(a["aria-describedby"] for _, a in seen.tags if "aria-describedby" in a),
        *(a["data-n"] for _, a in seen.tags if "data-n" in a),
    }
    assert expected <= set(ids)


def test_the_same_records_give_the_same_page(page: str) -> None:
    assert render_documents(a_folder()) == page


def test_the_texts_are_complete_in_their_language(page: str) -> None:
    texts = [line.text for line in a_folder() if isinstance(line, AnnotatedDocument)]
    assert [text for text in text_on(page) if text] == texts
    languages = [
        a.get("lang")
        for _, a in ElementTexts(page, "html").tags
        if (a.get("class") or "")[:5] == "text "
    ]
    assert languages == ["en", "en", "en", "hi", "hi", "ru", "ru", "en"]


def test_everything_is_text_and_not_html() -> None:
    marks = [mark(start=0, end=9, kind="person", role=ATTACK, reason=ATTACK, side="a")]
    edits = [Edit(start=0, end=8, old=ATTACK[:8], new=ATTACK)]
    changes = [
        change(ATTACK, edits, ATTACK, rule=ATTACK),
        flag(ATTACK + "2", 10, 12, reason=ATTACK, aim="swap"),
    ]
    read = document(ATTACK, ATTACK, "en", marks, changes, remarks=(ATTACK,)).model_copy(
        update={"groups": (ATTACK, "women"), "versions": {ATTACK: ATTACK}}
    )
    remarks = dict.fromkeys(
        ("what", "title", "meaning", "sentence", "unit", "source", "model"), ATTACK
    )
    lines: list[DocumentLine] = [
        read,
        *(figure(read.document, kind, **remarks) for kind in ("mentions", "near")),
    ]
    for html in (render_documents(lines), render_documents([*lines, english()], ATTACK)):
        seen = ElementTexts(html, "with-notes", ("note", "diff"))
        assert seen.found[0] == ATTACK
        # Two blocks of data a rewriting and the text's own: none of them runs.
        scripts = [a.get("type") for tag, a in seen.tags if tag == "script"]
        assert scripts.count(None) == 1
        assert not any(name.startswith("on") for _, a in seen.tags for name in a)
        assert "<script>alert" not in html


def test_the_data_of_a_page_are_the_texts(page: str) -> None:
    data = re.findall(r'<script type="application/json" id="\w+">(.*?)</script>', page, re.DOTALL)
    assert [json.loads(text) for text in data] == [english().text, hindi().text, russian().text]


def test_figures_have_number_interval_and_p() -> None:
    seen = Page(
        render_documents([english(), *figures(english().document)]).replace("<input", "<br")
    )
    for expected in (
        "Of 20 mentions (all) 6 are of women.",
        "30\xa0% 15\xa0% to 52\xa0% p = 0.12, corrected 0.35",
        "only men",
        "gentle 0 6 −1.84 0.0031 0.015",
        "Names were not counted",
        "GenBit",
    ):
        assert expected.replace("\xa0", " ") in seen.text.replace("\xa0", " "), expected
    assert seen.text.index("only men") < seen.text.index("only women")


def test_many_documents_are_folded_under_what_holds_in_all(page: str) -> None:
    assert page.index("In all</h2>") < page.index("Document by document</h2>")
    assert page.count('<details class="test document"') == 4
    assert "no mention of either group was found" in page
    assert "Nothing in this text is marked." in page
    one = render_documents([english()])
    assert '<details class="test document"' not in one


def test_every_document_has_the_letters_of_its_own_groups() -> None:
    other = document("b.txt", "It", marks=[mark(start=0, end=2, kind="person", reason="")])
    rich = other.model_copy(update={"groups": ("rich", "poor")})
    page = render_documents([english(), rich])
    keys = [key for key in ElementTexts(page, "key").found if key[-2] == " "]
    assert keys == ["men m", "women w", "rich r", "poor p"]
    kinds = [key for key in ElementTexts(page, "key").found if key[-2] != " "]
    assert len(kinds) == 5 + 1  # those of the one text, and of the other
    assert ">Group a and group b in 2 documents<" in page


def test_roles_are_described_in_words_under_the_plot() -> None:
    page = render_documents([english(), *figures(english().document)])
    (words,) = ElementTexts(page, "role-sentences").found
    assert "Of 13 mentions (pronoun) 4 are of women." in words
    assert "Of 20 mentions (all)" not in words
    assert all(page.count(f"<p>{each.sentence}</p>") == 1 for each in figures(identity("", ""))[:5])


def test_words_that_occur_too_seldom_have_no_p() -> None:
    of = identity("a.txt", "x")
    words = [figure(of, "near", what=word, value=1.0, neutral=0.0) for word in ("one", "two")]
    remark = "A word without p stands there too seldom"
    untested = Page(render_documents(words)).text
    assert remark in untested
    assert "Corrected" not in untested
    some = [words[0], words[1].model_copy(update={"p": 0.04, "p_holm": 0.08})]
    assert "two 9 3 +1.00 0.040 0.080 one 9 3 +1.00 none" in Page(render_documents(some)).text
    assert remark not in Page(render_documents([some[1]])).text


def test_of_very_many_documents_the_first_can_be_read() -> None:
    reads = [document(f"reviews.csv, row {row}", f"It rains on {row}.") for row in range(2, 402)]
    page = render_documents(reads)
    assert len([text for text in text_on(page) if text]) == 300
    assert "Of 400 documents the first 300 can be read here" in page
    assert Page(page).open == []
    assert "reviews.csv, row 401" in page


def test_of_a_large_table_the_first_rows_are_listed_and_all_are_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reads = [document(f"reviews.csv, row {row}", f"It rains on {row}.") for row in range(2, 42)]
    lines = [line for read in reads for line in (read, figure(read.document, source=read.text))]
    counted = Page(render_documents(lines)).text.count("rains on")
    whole = [figure(identity("", "all")), *lines]
    monkeypatch.setattr("fairvec.report.documents.page.MOST_LISTED", 30)
    page = render_documents(whole)
    assert len([text for text in text_on(page) if text]) == 30
    assert "Of 40 documents the first 30 are listed here" in page
    assert "in 40 documents were read" in Page(page).text
    assert ("reviews.csv, row 31" in page, "reviews.csv, row 32" in page) == (True, False)
    assert "It rains on 41." in page  # the source of a figure
    assert counted == Page(page).text.count("rains on") + 10
    assert render_documents(iter(whole)) == page


def test_figures_are_written_by_their_kind() -> None:
    of = identity("a", "x")
    count = figure(of, "terms", value=12.0, neutral=None)
    assert (format_value(count), dominant_group(count)) == ("12", "none")
    overall = figure(of, "near-overall", value=0.5, neutral=0.31)
    assert (format_value(overall), format_neutral(overall)) == ("0.50", "0.31")
    leaning = figure(of, "leaning", value=0.0123, neutral=-0.004)
    assert (format_value(leaning), format_neutral(leaning)) == ("+0.012", "−0.004")
    assert dominant_group(leaning) == "none"
    share = figure(of)
    assert (format_value(share), format_neutral(share)) == ("25\xa0%", "")
    assert dominant_group(share) == "a"
    coded = figure(of, "coded", value=-0.5, neutral=0.0, count_a=1, count_b=3)
    assert (format_value(coded), dominant_group(coded)) == ("−0.50", "b")


def test_unknown_figures_are_explained() -> None:
    lone = document("rain.txt", "It rains.")
    html = Page(render_documents([lone])).text
    assert "No figure was found" in html
    assert "Nothing in this text is marked." in html
    assert "A fairer version" not in html
    assert Page(render_documents([document("nothing.txt", "")])).open == []
    assert Page(render_documents([figure(identity("", "x"))])).open == []


def test_documents_of_one_name_stay_apart() -> None:
    html = render_documents([document("a.txt", "He."), document("a.txt", "She.")])
    assert text_on(html) == ["He.", "She."]


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (
            document("a", "he", marks=[mark(start=1, end=3, kind="coded", reason="")]),
            "a mark",
        ),
        (
            document("a", "he", marks=[mark(start=1, end=1, kind="coded", reason="")]),
            "a mark",
        ),
        (document("a", "he", changes=[flag("n1", 1, 9)]), "'n1' does not lie"),
        (
            document("a", "he", changes=[change("n1", [Edit(start=0, end=2, old="it", new="")])]),
            "'n1' does not fit",
        ),
    ],
    ids=["mark-outside", "mark-empty", "flag-outside", "other-text"],
)
def test_records_of_another_text_are_refused(read: AnnotatedDocument, message: str) -> None:
    with pytest.raises(SettingError, match=f"^a: .*{message}.*read the document again"):
        render_documents([read])


def test_an_empty_report_is_explained() -> None:
    with pytest.raises(SettingError, match="fairvec document"):
        render_documents([])


def test_the_page_is_written_atomically(tmp_path: Path) -> None:
    there = write_document_report([hindi()], tmp_path / "deep" / "report.html")
    assert there.read_text(encoding="utf-8") == render_documents([hindi()])


# --- The text with marks: every character is there, and every mark covers its own ---


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
@examples(150)
def test_marks_that_overlap_leave_every_character_and_cover_their_own(
    text: str, places: list[tuple[int, int, str, str, str]]
) -> None:
    marks = [
        mark(start=start, end=end, kind=kind, side=side, reason=reason)
        for start, long, kind, side, reason in places
        if (end := min(start + long, len(text))) > start
    ]
    html = str(marked_text(document("text", text, marks=marks), "d1"))
    assert "".join(ElementTexts(html, "block", ("note",)).found) == text
    # Every kind covers exactly the characters that its marks cover.
    for kind in ("person", "describing", "occupation", "coded", "leaning"):
        covered = sorted(
            {at for mark in marks if mark.kind == kind for at in range(mark.start, mark.end)}
        )
        assert "".join(_inside(html, kind)) == "".join(text[at] for at in covered)
    # Every mark has its letters once, and every note stands there once.
    assert html.count("data-tag=") == len(marks)
    notes = {
        (mark.kind, mark.side, mark.reason, text[mark.start : mark.end].casefold())
        for mark in marks
    }
    assert html.count('class="note ') == html.count('tabindex="0"') == len(notes)


def _inside(html: str, kind: str) -> list[str]:
    """Return what stands inside marks of a kind, once also where they nest."""
    return ElementTexts(html, kind, ("note",)).found


def test_a_mark_continues_over_a_block() -> None:
    text = "a line of words\n" * 300
    over = mark(start=100, end=len(text) - 100, kind="leaning", reason="Long.")
    html = str(marked_text(document("text", text, marks=[over]), "d1"))
    assert "".join(ElementTexts(html, "block", ("note",)).found) == text
    assert "".join(_inside(html, "leaning")) == text[100:-100]
    assert html.count('class="block"') == 3
    assert html.count("data-tag=") == html.count('id="d1n1"') == 1


def test_a_word_is_explained_once_with_its_count() -> None:
    text = "He and he and she. HE!"
    words = [("he", "person", "a", "pronoun", "A man."), ("she", "person", "b", "", "A woman.")]
    html = str(marked_text(document("text", text, marks=marks_of(text, words)), "d1"))
    assert ElementTexts(html, "note").found == [
        "He × 3 pronoun · men. A man.",
        "she person · women. A woman.",
    ]
    assert re.findall(r'data-tag="(\w+)"', html) == ["Pm", "Pm", "Pw", "Pm"]


def test_marks_of_one_word_that_lean_otherwise_have_notes_of_their_own() -> None:
    marks = [
        mark(start=at, end=at + 2, kind="leaning", score=score, reason="It leans.")
        for at, score in ((0, 0.1), (3, 0.1), (6, 0.2))
    ]
    html = str(marked_text(document("text", "it it it", marks=marks), "d1"))
    assert ElementTexts(html, "note").found == [
        "it × 2 leaning · +0.10. It leans.",
        "it leaning · +0.20. It leans.",
    ]


def test_groups_that_begin_alike_are_a_and_b() -> None:
    read = document("text", "he", marks=[mark(start=0, end=2, kind="person", side="b", reason="")])
    same_initial = read.model_copy(update={"groups": ("old", "other")})
    assert 'data-tag="Pb"' in marked_text(same_initial, "d1")


def test_where_notes_need_more_space_than_the_text_they_stay_at_their_line() -> None:
    words = [(f"w{n}", "coded", "a", "", "A note of some length. " * 5) for n in range(9)]
    remark = " and so on" * 12 + " "
    lines = [remark.join(word for word, *_ in words[at : at + 3]) for at in (0, 3, 6)]
    text = "\n\n".join(lines)
    read = document("text", text, marks=marks_of(text, words))
    html = str(marked_text(read, "d1"))
    assert [block.strip() for block in ElementTexts(html, "block", ("note",)).found] == lines
    assert "".join(ElementTexts(html, "block", ("note",)).found) == text
    assert is_dense(read)
    spread = document("text", remark * 20 + text, marks=marks_of(remark * 20 + text, words))
    assert not is_dense(spread)


def test_a_long_text_has_no_element_a_word() -> None:
    text = "The weather was fine and nobody was there to see it.\n" * 5_000
    html = str(marked_text(document("text", text), "d1"))
    assert html.count("<div") < len(text) / 1_900
    assert html.count("<span") == 0
    words = [("nobody", "person", "", "", "Nobody.")]
    marked = str(marked_text(document("text", text, marks=marks_of(text, words)), "d1"))
    assert marked.count("<span") == 5_000 + 2  # the marks, and one note with its count


# --- plain ---


def test_blocks_end_with_lines_and_long_lines_with_words() -> None:
    lines = "a line of words\n" * 1_000
    assert all(lines[end - 1] == "\n" for end in block_ends(lines))
    assert len(block_ends(lines)) == 8
    words = "word " * 10_000
    assert [words[end - 1] for end in block_ends(words)] == [" "] * 7
    assert block_ends("x" * 3 * LONG_LINE) == [3 * LONG_LINE]
    assert block_ends("") == []


def test_places_as_a_browser_counts() -> None:
    text = "a🙂é𝒳b"
    assert [*map(utf16_offset(text), range(len(text) + 1))] == [
        len(text[:end].encode("utf-16-le")) // 2 for end in range(len(text) + 1)
    ]
    assert [*map(utf16_offset("abc"), range(4))] == [0, 1, 2, 3]


def test_characters_that_html_would_change_are_preserved() -> None:
    assert escape_text("a\r\n<\0>") == "a&#13;\n&lt;␀&gt;"


def test_a_quote_is_one_line_of_complete_words() -> None:
    assert shorten("short\n text") == "short text"
    assert shorten("one two three", 8) == "one two …"
    assert shorten("x" * 50, 10) == "x" * 10 + " …"


# --- Changes as a diff, as a list and as a command ---


@pytest.mark.parametrize("read", [english(), hindi(), russian()], ids=["en", "hi", "ru"])
def test_every_change_is_in_the_diff_and_in_the_list(read: AnnotatedDocument) -> None:
    html = render_documents([read])
    notes, rows = ElementTexts(html, "note").found, ElementTexts(html, "tr").found
    for one in read.changes:
        for expected in (one.id, one.rule, one.reason, *(each.new for each in one.edits)):
            assert any(one.id in row and expected in row for row in rows), expected
            assert any(f"{one.rule} · {one.id}" in note and expected in note for note in notes)
    boxes = [a for tag, a in ElementTexts(html, "html").tags if tag == "input" and "id" in a]
    assert len(boxes) == sum(bool(one.edits) for one in read.changes)


def test_without_what_is_new_a_diff_is_the_text() -> None:
    diffs = ElementTexts(render_documents([english()]), "diff", ("note", "ins")).found
    assert diffs == [ENGLISH, ENGLISH]


def test_conflicting_changes_are_not_accepted_together() -> None:
    html = render_documents([english()])
    boxes = {
        a["id"]: "checked" in a
        for tag, a in ElementTexts(html, "html").tags
        if tag == "input" and (a.get("id") or "").startswith("d1neutral")
    }
    assert list(boxes.values()) == [True, True, True, False, True]
    assert "Not together with n4." in Page(html.replace("<input", "<br")).text


def test_the_command_names_what_is_accepted() -> None:
    commands = ElementTexts(render_documents([english()]), "code").found
    assert commands[0] == (
        "fairvec document letters/letter.txt --apply letter-fairer.txt --accept n1,n2,n3,n5"
    )
    odd = document("my 'letter'.txt", "he", changes=[change("a b", [edit("he", "he", "they")])])
    words = shlex.split(ElementTexts(render_documents([odd]), "code").found[0])
    assert words[2] == "my 'letter'.txt"
    assert words[-1] == "a b"


def test_a_long_way_between_changes_is_left_out() -> None:
    text = f"He came. {'Nothing happened there. ' * 200}He went."
    edits = [edit(text, "He", "They", nth) for nth in (0, 1)]
    read = document("text", text, changes=[change(f"n{n}", [one]) for n, one in enumerate(edits)])
    (diff,) = ElementTexts(render_documents([read]), "diff", ("note", "ins")).found
    assert len(diff) < 800
    assert re.search(r"there\. [\d,]+ characters without a change", diff)
    assert diff.startswith("He came. Nothing happened")
    assert diff.endswith("Nothing happened there. He went.")
    (left,) = re.findall(r"([\d,]+) characters without a change", diff)
    seen = diff.replace(f"{left} characters without a change", "")
    assert len(seen) + int(left.replace(",", "")) == len(text)


def test_edits_at_both_ends_and_empty_edits() -> None:
    text = "he"
    edits = [
        Edit(start=0, end=0, old="", new="When "),
        Edit(start=2, end=2, old="", new=" came"),
    ]
    gone = Edit(start=0, end=2, old="he", new="")
    read = document("text", text, changes=[change("add", edits), change("drop", [gone])])
    html = render_documents([read])
    assert ElementTexts(html, "diff", ("note", "ins")).found == ["he"]
    assert ElementTexts(html, "diff", ("note", "del")).found == ["When he∅ came"]


@pytest.mark.parametrize(
    ("name", "new"),
    [
        ("letter.txt", "letter-fairer.txt"),
        ("a/b.c/letter.md", "letter-fairer.md"),
        ("C:\\x\\letter.html", "letter-fairer.html"),
        ("letter", "letter-fairer"),
        ("", "text-fairer.txt"),
        ("standard input", "text-fairer.txt"),
        ("data/reviews.csv, row 12", "reviews-row-12-fairer.txt"),
    ],
    ids=["plain", "folders", "windows", "no-suffix", "no-name", "standard-input", "row"],
)
def test_the_new_file_is_named_after_the_old(name: str, new: str) -> None:
    assert output_name(name) == new


def test_flags_alone_offer_no_change_to_accept() -> None:
    read = document("text", "he and he", changes=[flag("f1", 0, 2), flag("f2", 0, 6)])
    html = render_documents([read])
    assert "No change is certain; 2 places only flagged" in Page(html).text
    assert not [
        tag for tag, _ in ElementTexts(html, "html").tags if tag in ("input", "button", "code")
    ]
    assert ElementTexts(html, "flagged").found == ["he"]
    assert ElementTexts(html, "diff", ("note",)).found == ["he and he"]


def test_a_change_that_contradicts_itself_cannot_be_accepted() -> None:
    edits = [edit("he", "he", "she"), edit("he", "he", "they")]
    html = render_documents([document("text", "he", changes=[change("n1", edits)])])
    assert "its edits overlap" in html
    assert not [tag for tag, _ in ElementTexts(html, "html").tags if tag == "input"]


def test_only_a_document_of_its_own_has_a_command() -> None:
    changes = [change("n1", [edit("he", "he", "they")])]
    row = render_documents([document("reviews.csv, row 12", "he", changes=changes)])
    assert ElementTexts(row, "code").found == []
    piped = render_documents([document("standard input", "he", changes=changes)])
    assert ElementTexts(piped, "code").found == [
        "fairvec document - --apply text-fairer.txt --accept n1"
    ]


# --- What cannot stand together is what fairvec would refuse to write together ---


TEXT = "0123456789"
EDITS = st.tuples(st.integers(0, 9), st.integers(0, 3), st.sampled_from(["x", ""]))
CHANGES = st.lists(st.lists(EDITS, min_size=1, max_size=2), max_size=6)


def changes_of(edit_lists: list[list[tuple[int, int, str]]]) -> list[TextChange]:
    return [
        change(
            f"n{number}",
            [
                Edit(start=at, end=at + long, old=TEXT[at : at + long], new=new)
                for at, long, new in edits
                if at + long <= len(TEXT)
            ]
            or [Edit(start=0, end=1, old="0", new="y")],
        )
        for number, edits in enumerate(edit_lists)
    ]


def refused(*changes: TextChange) -> bool:
    try:
        apply_edits(TEXT, changes)
    except SettingError:
        return True
    return False


def begin_alike(*changes: TextChange) -> bool:
    """Return whether two edits begin at one place; there the order of writing would decide."""
    edits = {edit for one in changes for edit in one.edits}
    return len({edit.start for edit in edits}) < len(edits)


@given(edit_lists=CHANGES)
@settings(deadline=None)
def test_a_pair_is_in_conflict_if_it_would_be_refused_or_depend_on_order(
    edit_lists: list[list[tuple[int, int, str]]],
) -> None:
    changes = changes_of(edit_lists)
    against = conflicts(changes)
    for number, one in enumerate(changes):
        assert (number in against[number]) == (refused(one) or begin_alike(one))
    for first, second in combinations(range(len(changes)), 2):
        assert (second in against[first]) == (first in against[second])
        if first not in against[first] and second not in against[second]:
            pair = changes[first], changes[second]
            assert (second in against[first]) == (refused(*pair) or begin_alike(*pair))


@given(edit_lists=CHANGES)
@settings(deadline=None)
def test_the_default_selection_is_compatible_and_cannot_be_extended(
    edit_lists: list[list[tuple[int, int, str]]],
) -> None:
    changes = [*changes_of(edit_lists), flag("f", 0, 2)]
    against = conflicts(changes)
    accepted = select_compatible(against, changes)
    chosen = [one for one, is_accepted in zip(changes, accepted, strict=True) if is_accepted]
    assert not refused(*chosen)
    assert not accepted[-1]
    for number, is_accepted in enumerate(accepted[:-1]):
        if not is_accepted:
            assert number in against[number] or any(accepted[rival] for rival in against[number])


def test_a_rule_of_the_document_page_does_not_reach_the_lines_under_pictures() -> None:
    """Both have the class save: a button here, a paragraph of links in the style of all pages."""
    css = (Path(documents_page.__file__).parents[1] / "templates" / "documents.css").read_text()
    assert re.findall(r"(\w*)\.save\b", css) == ["button"] * 3
