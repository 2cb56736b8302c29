"""The page about documents: every character is there, everything is escaped, every change shows."""

import json
import re
from pathlib import Path

import pytest

from fairvec.core.errors import SettingError
from fairvec.report.documents.figures import leaning_side, shown, shown_neutral
from fairvec.report.documents.page import render_documents, write_document_report
from fairvec.results.documents import DocumentLine, ProposedEdit, ReadDocument, TextMark
from tests.report.sample_documents import (
    a_folder,
    change,
    document,
    english,
    figure,
    figures,
    flag,
    hindi,
    identity,
    russian,
)
from tests.report.seen import Seen
from tests.report.test_page import ATTACK, Page


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
    for html in (render_documents(lines), render_documents([*lines, english()], ATTACK)):
        seen = Seen(html, "with-notes", ("note", "diff"))
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
    assert "no mention of either group was found" in page
    assert "Nothing in this text is marked." in page
    one = render_documents([english()])
    assert '<details class="test document"' not in one


def test_every_document_has_the_letters_of_its_own_groups() -> None:
    other = document("b.txt", "It", marks=[TextMark(start=0, end=2, kind="person", why="")])
    rich = other.model_copy(update={"groups": ("rich", "poor")})
    page = render_documents([english(), rich])
    keys = [key for key in Seen(page, "key").found if key[-2] == " "]
    assert keys == ["men m", "women w", "rich r", "poor p"]
    kinds = [key for key in Seen(page, "key").found if key[-2] != " "]
    assert len(kinds) == 5 + 1  # those of the one text, and of the other
    assert ">Group a and group b in 2 documents<" in page


def test_roles_are_told_in_words_under_the_plot() -> None:
    page = render_documents([english(), *figures(english().document)])
    (words,) = Seen(page, "role-sentences").found
    assert "Of 13 mentions (pronoun) 4 are of women." in words
    assert "Of 20 mentions (all)" not in words
    assert all(page.count(f"<p>{each.sentence}</p>") == 1 for each in figures(identity("", ""))[:5])


def test_words_that_stand_too_seldom_have_no_p() -> None:
    of = identity("a.txt", "x")
    words = [figure(of, "near", what=word, value=1.0, neutral=0.0) for word in ("one", "two")]
    said = "A word without p stands there too seldom"
    untested = Page(render_documents(words)).text
    assert said in untested
    assert "Corrected" not in untested
    some = [words[0], words[1].model_copy(update={"p": 0.04, "p_holm": 0.08})]
    assert "two 9 3 +1.00 0.040 0.080 one 9 3 +1.00 none" in Page(render_documents(some)).text
    assert said not in Page(render_documents([some[1]])).text


def test_of_very_many_documents_the_first_can_be_read() -> None:
    reads = [document(f"reviews.csv, row {row}", f"It rains on {row}.") for row in range(2, 402)]
    page = render_documents(reads)
    assert len([text for text in text_on(page) if text]) == 300
    assert "Of 400 documents the first 300 can be read here" in page
    assert Page(page).open == []
    assert "reviews.csv, row 401" in page


def test_figures_are_written_by_their_kind() -> None:
    of = identity("a", "x")
    count = figure(of, "terms", value=12.0, neutral=None)
    assert (shown(count), leaning_side(count)) == ("12", "none")
    overall = figure(of, "near-overall", value=0.5, neutral=0.31)
    assert (shown(overall), shown_neutral(overall)) == ("0.50", "0.31")
    leaning = figure(of, "leaning", value=0.0123, neutral=-0.004)
    assert (shown(leaning), shown_neutral(leaning)) == ("+0.012", "−0.004")
    share = figure(of)
    assert (shown(share), shown_neutral(share), leaning_side(share)) == ("25\xa0%", "", "a")
    coded = figure(of, "coded", value=-0.5, neutral=0.0, count_a=1, count_b=3)
    assert (shown(coded), leaning_side(coded)) == ("−0.50", "b")


def test_what_is_not_known_is_said() -> None:
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
