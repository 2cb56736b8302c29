"""Documents read and judged: every figure of each and of all, with marks at their places."""

from pathlib import Path

import pytest

import fairvec
from fairvec.core.errors import FairvecError, MissingExtraError, SettingError, UnknownNameError
from fairvec.documents import check as marks
from fairvec.documents.check import REWRITERS, DocumentsReport, check_documents
from fairvec.documents.read import read_documents
from fairvec.results import ReadDocument, read_document_lines, write_documents
from tests.encoders.toys import toy_encoder

TEXTS = Path(__file__).parent / "texts"
ADVERT = TEXTS / "advert.txt"


def figure(judged: DocumentsReport, measure: str, what: str = "all") -> float:
    (found,) = [
        one for one in judged.documents[0].figures if (one.measure, one.what) == (measure, what)
    ]
    return found.value


@pytest.mark.parametrize(
    ("file", "language", "a", "b"),
    [("advert.txt", "en", 25, 9), ("school.hi.txt", "hi", 20, 8), ("town.ru.txt", "ru", 24, 12)],
)
def test_a_text_in_each_language_is_read_as_by_hand(
    file: str, language: str, a: int, b: int
) -> None:
    """The counts were made by reading the texts."""
    (judged,) = check_documents(read_documents(TEXTS / file)).documents
    assert judged.record.document.language == language
    mentions = next(one for one in judged.figures if one.what == "all")
    assert (mentions.count_a, mentions.count_b) == (a, b)


def test_marks_stand_where_their_words_do(toy_rules: None, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p class='he'>The <b>chairman</b> is brave. He&#39;s aggressive.</p>")
    judged = check_documents(read_documents(page), model=fairvec.load("glove-en-small"))
    record = judged.documents[0].record
    text = record.text
    assert text == page.read_text()
    found = [(text[one.start : one.end], one.kind, one.side) for one in record.marks]
    words = [each for each in found if each[1] != "leaning"]
    assert [word for word, *_ in words] == ["chairman", "brave", "He", "aggressive", "aggressive"]
    assert [kind for _, kind, _ in words] == [
        "person",
        "describing",
        "person",
        "coded",
        "describing",
    ]
    assert any(kind == "leaning" and sentence.startswith("The <b>") for sentence, kind, _ in found)
    assert [text[one.start : one.end] for one in record.changes] == ["chairman", "He"] * 2
    assert [one.id for one in record.changes] == ["n1", "n2", "s1", "s2"]
    assert figure(judged, "terms", "neutral") == 1


def test_several_documents_are_judged_together_by_language(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(f"She left. He stayed. {name[0]}\n")
    (tmp_path / "c.txt").write_text("Она ушла.\n")
    (tmp_path / "d.txt").write_text("12\n")
    judged = check_documents(read_documents(tmp_path))
    assert len(judged.documents) == 3
    assert {(one.document.name, one.document.language) for one in judged.overall} == {("", "en")}
    every = next(one for one in judged.overall if one.what == "all")
    assert (every.count_a, every.count_b, every.unit) == (2, 2, "documents")
    assert any("1 of 4 documents was passed over" in remark for remark in judged.remarks)
    path = write_documents(judged.lines, tmp_path / "out")
    assert tuple(read_document_lines(path)) == judged.lines


def test_names_may_be_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Mary met John. She left.")
    read = read_documents(tmp_path / "a.txt")
    assert figure(check_documents(read), "mentions") == pytest.approx(2 / 3)
    assert figure(check_documents(read, names=False), "mentions") == 1


def test_what_cannot_be_judged_is_said(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("")
    with pytest.raises(SettingError, match="nothing to read here"):
        read_documents(tmp_path / "empty.txt")
    with pytest.raises(UnknownNameError, match="named 'de'"):
        read_documents(ADVERT, language="de")
    with pytest.raises(SettingError, match="'ru' is written in Cyrillic"):
        read_documents(ADVERT, language="ru")
    encoder, _ = toy_encoder()
    with pytest.raises(SettingError, match="is an encoder"):
        check_documents(read_documents(ADVERT), model=encoder)
    with pytest.raises(FairvecError, match="choose a model of the language 'en'"):
        check_documents(read_documents(ADVERT), model=fairvec.load("glove-hi-small"))


def test_a_missing_extra_is_a_remark_and_no_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def lacking(*_: object, **__: object) -> None:
        raise MissingExtraError("Rewriting it", "russian")

    monkeypatch.setitem(REWRITERS, "en", "tests.documents.toy_rewriter")
    monkeypatch.setattr("fairvec.documents.check.proposals", lacking)
    (judged,) = check_documents(read_documents(ADVERT)).documents
    assert any("pip install" in remark for remark in judged.record.remarks)
    assert figure(DocumentsReport((judged,)), "mentions") < 0.5


def test_marks_of_an_endless_text_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(marks, "MOST_MARKS", 10)
    monkeypatch.setattr("fairvec.documents.check.MOST_MARKS", 10)
    (tmp_path / "a.txt").write_text("He left.\n" * 50)
    judged = check_documents(read_documents(tmp_path / "a.txt"))
    record = judged.documents[0].record
    assert isinstance(record, ReadDocument)
    assert len(record.marks) == 10
    assert any("Only the first 10 places are marked" in remark for remark in record.remarks)
    assert judged.documents[0].figures[0].count_a == 50
