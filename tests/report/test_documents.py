"""The page about documents: every character is there, everything is escaped, every change shows."""

import json
import re
import shlex
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fairvec.ground.errors import SettingError
from fairvec.report.documents import render_documents, write_document_report
from fairvec.report.sections.documents.marked_text import marked_text
from fairvec.report.sections.documents.plain_text import LONG_LINE, block_ends, utf16_places
from fairvec.report.sections.documents.rewriting_view import fairer_name
from fairvec.results.documents import DocumentLine, ProposedEdit, ReadDocument, TextMark
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
    marks_of,
    russian,
)
from tests.report.test_page import ATTACK, Page

VOID = {"meta", "br", "input"}


class Seen(HTMLParser):
    """The page by classes: the text of each element, without what stands in others."""

    def __init__(self, html: str, inside: str, without: tuple[str, ...] = ()) -> None:
        super().__init__()
        self.inside, self.without = inside, without
        self.stack: list[tuple[str, set[str]]] = []
        self.found: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in VOID:
            return
        names = {tag, *(dict(attrs).get("class") or "").split()}
        if self.inside in names:
            self.found.append("")
        self.stack.append((tag, names))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        names = {name for _, classes in self.stack for name in classes}
        if self.inside in names and not names & set(self.without):
            self.found[-1] += data


def text_on(page: str) -> list[str]:
    """Return the text of every block of marked text; blocks of one document follow one another."""
    return Seen(page, "with-notes", ("note", "diff")).found


@pytest.fixture(scope="module")
def page() -> str:
    return render_documents(a_folder())


def test_every_tag_closes_and_every_id_is_one(page: str) -> None:
    seen = Seen(page, "html")
    assert seen.stack == []
    ids = [attributes["id"] for _, attributes in seen.tags if "id" in attributes]
    assert len(ids) > 60
    assert len(ids) == len(set(ids))
    wanted = {
        *(a["href"].removeprefix("#") for t, a in seen.tags if t == "a" and a["href"]),
        *(a["for"] for t, a in seen.tags if t == "label" and "for" in a),
        *(a["aria-describedby"] for _, a in seen.tags if "aria-describedby" in a),
        *(a["data-n"] for _, a in seen.tags if "data-n" in a),
    }
    assert wanted <= set(ids)


def test_the_same_records_give_the_same_page(page: str) -> None:
    assert render_documents(a_folder()) == page


def test_the_texts_are_whole_in_their_language(page: str) -> None:
    texts = [line.text for line in a_folder() if isinstance(line, ReadDocument)]
    assert [text for text in text_on(page) if text] == texts
    languages = [
        a.get("lang") for _, a in Seen(page, "html").tags if (a.get("class") or "")[:5] == "text "
    ]
    assert languages == ["en", "en", "en", "hi", "hi", "ru", "ru", "en"]


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


def test_blocks_end_with_lines_and_long_lines_with_words() -> None:
    lines = "a line of words\n" * 1_000
    assert all(lines[end - 1] == "\n" for end in block_ends(lines))
    assert len(block_ends(lines)) == 8
    words = "word " * 10_000
    assert [words[end - 1] for end in block_ends(words)] == [" "] * 7
    assert block_ends("x" * 3 * LONG_LINE) == [3 * LONG_LINE]
    assert block_ends("") == []


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
        "He × 3 pronoun · men A man.",
        "she person · women A woman.",
    ]
    assert re.findall(r'data-tag="(\w+)"', html) == ["Pm", "Pm", "Pw", "Pm"]


def test_groups_that_begin_alike_are_a_and_b() -> None:
    read = document("text", "he", marks=[TextMark(start=0, end=2, kind="person", side="b", why="")])
    alike = read.model_copy(update={"groups": ("old", "other")})
    assert 'data-tag="Pb"' in marked_text(alike, "d1")


def test_everything_is_text_and_not_html() -> None:
    marks = [TextMark(start=0, end=9, kind="person", role=ATTACK, why=ATTACK, side="a")]
    edits = [ProposedEdit(start=0, end=8, old=ATTACK[:8], new=ATTACK)]
    changes = [
        change(ATTACK, edits, ATTACK, rule=ATTACK),
        flag(ATTACK + "2", 10, 12, why=ATTACK, aim="swap"),
    ]
    read = document(ATTACK, ATTACK, "en", marks, changes, remarks=(ATTACK,)).model_copy(
        update={"groups": (ATTACK, "women"), "versions": {ATTACK: ATTACK}}
    )
    said = dict.fromkeys(
        ("what", "title", "meaning", "sentence", "unit", "source", "model"), ATTACK
    )
    lines: list[DocumentLine] = [
        read,
        *(figure(read.document, kind, **said) for kind in ("mentions", "near")),
    ]
    for shown in (render_documents(lines), render_documents([*lines, english()], ATTACK)):
        seen = Seen(shown, "with-notes", ("note", "diff"))
        assert seen.found[0] == ATTACK
        # Two blocks of data a rewriting and the text's own: none of them runs.
        scripts = [a.get("type") for tag, a in seen.tags if tag == "script"]
        assert scripts.count(None) == 1
        assert not any(name.startswith("on") for _, a in seen.tags for name in a)
        assert "<script>alert" not in shown


def test_the_data_of_a_page_are_the_texts(page: str) -> None:
    data = re.findall(r'<script type="application/json" id="\w+">(.*?)</script>', page, re.DOTALL)
    assert [json.loads(text) for text in data] == [english().text, hindi().text, russian().text]


@pytest.mark.parametrize("read", [english(), hindi(), russian()], ids=["en", "hi", "ru"])
def test_every_change_is_in_the_diff_and_in_the_list(read: ReadDocument) -> None:
    shown = render_documents([read])
    notes, rows = Seen(shown, "note").found, Seen(shown, "tr").found
    for one in read.changes:
        for wanted in (one.id, one.rule, one.why, *(each.new for each in one.edits)):
            assert any(one.id in row and wanted in row for row in rows), wanted
            assert any(f"{one.rule} · {one.id}" in note and wanted in note for note in notes)
    boxes = [a for tag, a in Seen(shown, "html").tags if tag == "input"]
    assert len(boxes) == sum(bool(one.edits) for one in read.changes)


def test_without_what_is_new_a_diff_is_the_text() -> None:
    diffs = Seen(render_documents([english()]), "diff", ("note", "ins")).found
    assert diffs == [ENGLISH, ENGLISH]


def test_what_cannot_stand_together_is_not_accepted_together() -> None:
    shown = render_documents([english()])
    boxes = {
        a["id"]: "checked" in a
        for tag, a in Seen(shown, "html").tags
        if tag == "input" and (a["id"] or "").startswith("d1neutral")
    }
    assert list(boxes.values()) == [True, True, True, False, True]
    assert "Not together with n4." in Page(shown.replace("<input", "<br")).text


def test_the_command_names_what_is_accepted() -> None:
    shown = Seen(render_documents([english()]), "code").found
    assert shown[0] == (
        "fairvec document letters/letter.txt --apply letter-fairer.txt --accept n1,n2,n3,n5"
    )
    odd = document("my 'letter'.txt", "he", changes=[change("a b", [edit("he", "he", "they")])])
    words = shlex.split(Seen(render_documents([odd]), "code").found[0])
    assert words[2] == "my 'letter'.txt"
    assert words[-1] == "a b"


def test_a_long_way_between_changes_is_left_out() -> None:
    text = f"He came. {'Nothing happened there. ' * 200}He went."
    edits = [edit(text, "He", "They", nth) for nth in (0, 1)]
    read = document("text", text, changes=[change(f"n{n}", [one]) for n, one in enumerate(edits)])
    (diff,) = Seen(render_documents([read]), "diff", ("note", "ins")).found
    assert len(diff) < 800
    assert re.search(r"there\. [\d,]+ characters without a change", diff)
    assert diff.startswith("He came. Nothing happened")
    assert diff.endswith("Nothing happened there. He went.")
    (left,) = re.findall(r"([\d,]+) characters without a change", diff)
    seen = diff.replace(f"{left} characters without a change", "")
    assert len(seen) + int(left.replace(",", "")) == len(text)


def test_edits_at_the_very_ends_and_of_nothing() -> None:
    text = "he"
    edits = [
        ProposedEdit(start=0, end=0, old="", new="When "),
        ProposedEdit(start=2, end=2, old="", new=" came"),
    ]
    gone = ProposedEdit(start=0, end=2, old="he", new="")
    read = document("text", text, changes=[change("add", edits), change("drop", [gone])])
    shown = render_documents([read])
    assert Seen(shown, "diff", ("note", "ins")).found == ["he"]
    assert Seen(shown, "diff", ("note", "del")).found == ["When he∅ came"]


def test_figures_have_number_interval_and_p() -> None:
    seen = Page(
        render_documents([english(), *figures(english().document)]).replace("<input", "<br")
    )
    for wanted in (
        "Of 20 mentions (all) 6 are of women.",
        "30\xa0% 15\xa0% to 52\xa0% p = 0.12, corrected 0.35",
        "only men",
        "gentle 0 6 −1.84 0.0031 0.015",
        "Names were not counted",
        "GenBit",
    ):
        assert wanted.replace("\xa0", " ") in seen.text.replace("\xa0", " "), wanted
    assert seen.text.index("only men") < seen.text.index("only women")


def test_many_documents_are_folded_under_what_holds_in_all(page: str) -> None:
    assert page.index("In all</h2>") < page.index("Document by document</h2>")
    assert page.count('<details class="test document"') == 4
    assert "nobody is mentioned whose group is known" in page
    assert "Nothing in this text is marked." in page
    one = render_documents([english()])
    assert '<details class="test document"' not in one


def test_what_is_not_known_is_said() -> None:
    lone = document("rain.txt", "It rains.")
    shown = Page(render_documents([lone])).text
    assert "No figure was found" in shown
    assert "Nothing in this text is marked." in shown
    assert "A fairer version" not in shown
    assert Page(render_documents([document("nothing.txt", "")])).open == []
    assert Page(render_documents([figure(identity("", "x"))])).open == []


def test_documents_of_one_name_stay_apart() -> None:
    shown = render_documents([document("a.txt", "He."), document("a.txt", "She.")])
    assert text_on(shown) == ["He.", "She."]


@pytest.mark.parametrize(
    ("read", "said"),
    [
        (document("a", "he", marks=[TextMark(start=1, end=3, kind="coded", why="")]), "a mark"),
        (document("a", "he", marks=[TextMark(start=1, end=1, kind="coded", why="")]), "a mark"),
        (document("a", "he", changes=[flag("n1", 1, 9)]), "'n1' does not lie"),
        (
            document(
                "a", "he", changes=[change("n1", [ProposedEdit(start=0, end=2, old="it", new="")])]
            ),
            "'n1' does not fit",
        ),
    ],
    ids=["mark-outside", "mark-empty", "flag-outside", "other-text"],
)
def test_records_of_another_text_are_refused(read: ReadDocument, said: str) -> None:
    with pytest.raises(SettingError, match=f"^a: .*{said}.*read the document again"):
        render_documents([read])


def test_nothing_to_report_is_said() -> None:
    with pytest.raises(SettingError, match="fairvec document"):
        render_documents([])


def test_it_is_written_whole(tmp_path: Path) -> None:
    there = write_document_report([hindi()], tmp_path / "deep" / "report.html")
    assert there.read_text(encoding="utf-8") == render_documents([hindi()])


def test_places_as_a_browser_counts() -> None:
    text = "a🙂é𝒳b"
    assert list(utf16_places(text)) == [
        len(text[:end].encode("utf-16-le")) // 2 for end in range(len(text) + 1)
    ]
    assert list(utf16_places("abc")) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("name", "new"),
    [
        ("letter.txt", "letter-fairer.txt"),
        ("a/b.c/letter.md", "letter-fairer.md"),
        ("C:\\x\\letter.html", "letter-fairer.html"),
        ("letter", "letter-fairer"),
        ("", "text-fairer"),
    ],
    ids=["plain", "folders", "windows", "no-suffix", "no-name"],
)
def test_the_new_file_is_named_after_the_old(name: str, new: str) -> None:
    assert fairer_name(name) == new
