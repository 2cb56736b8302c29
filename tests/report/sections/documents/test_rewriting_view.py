"""Changes as a diff, as a list and as a command."""

import re
import shlex

import pytest

from fairvec.report.documents.changes import fairer_name
from fairvec.report.documents.page import render_documents
from fairvec.results.documents import ProposedEdit, ReadDocument
from tests.report.sample_documents import (
    ENGLISH,
    change,
    document,
    edit,
    english,
    flag,
    hindi,
    russian,
)
from tests.report.seen import Seen
from tests.report.test_page import Page


@pytest.mark.parametrize("read", [english(), hindi(), russian()], ids=["en", "hi", "ru"])
def test_every_change_is_in_the_diff_and_in_the_list(read: ReadDocument) -> None:
    shown = render_documents([read])
    notes, rows = Seen(shown, "note").found, Seen(shown, "tr").found
    for one in read.changes:
        for wanted in (one.id, one.rule, one.why, *(each.new for each in one.edits)):
            assert any(one.id in row and wanted in row for row in rows), wanted
            assert any(f"{one.rule} · {one.id}" in note and wanted in note for note in notes)
    boxes = [a for tag, a in Seen(shown, "html").tags if tag == "input" and "id" in a]
    assert len(boxes) == sum(bool(one.edits) for one in read.changes)


def test_without_what_is_new_a_diff_is_the_text() -> None:
    diffs = Seen(render_documents([english()]), "diff", ("note", "ins")).found
    assert diffs == [ENGLISH, ENGLISH]


def test_what_cannot_stand_together_is_not_accepted_together() -> None:
    shown = render_documents([english()])
    boxes = {
        a["id"]: "checked" in a
        for tag, a in Seen(shown, "html").tags
        if tag == "input" and (a.get("id") or "").startswith("d1neutral")
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
    assert fairer_name(name) == new


def test_flags_alone_offer_nothing_to_accept() -> None:
    read = document("text", "he and he", changes=[flag("f1", 0, 2), flag("f2", 0, 6)])
    shown = render_documents([read])
    assert "No change is certain; 2 places only flagged" in Page(shown).text
    assert not [tag for tag, _ in Seen(shown, "html").tags if tag in ("input", "button", "code")]
    assert Seen(shown, "flagged").found == ["he"]
    assert Seen(shown, "diff", ("note",)).found == ["he and he"]


def test_a_change_that_contradicts_itself_cannot_be_accepted() -> None:
    edits = [edit("he", "he", "she"), edit("he", "he", "they")]
    shown = render_documents([document("text", "he", changes=[change("n1", edits)])])
    assert "its edits overlap" in shown
    assert not [tag for tag, _ in Seen(shown, "html").tags if tag == "input"]


def test_only_a_document_of_its_own_has_a_command() -> None:
    changes = [change("n1", [edit("he", "he", "they")])]
    row = render_documents([document("reviews.csv, row 12", "he", changes=changes)])
    assert Seen(row, "code").found == []
    piped = render_documents([document("standard input", "he", changes=changes)])
    assert Seen(piped, "code").found == ["fairvec document - --apply text-fairer.txt --accept n1"]
