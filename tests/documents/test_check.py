"""Documents read and checked: every figure of each and of all, with marks at their places."""

import tracemalloc
from pathlib import Path

import pytest

import fairvec
from fairvec.core.errors import FairvecError, MissingExtraError, SettingError, UnknownNameError
from fairvec.documents import check as marks
from fairvec.documents.check import AIMS, DocumentsReport, check_documents
from fairvec.documents.read import read_documents
from fairvec.languages.text import LONGEST_PARAGRAPH, LONGEST_PART, parse_document
from fairvec.report.documents.page import DocumentsPage
from fairvec.results.documents import (
    AnnotatedDocument,
    Annotation,
    TextChange,
    read_document_lines,
    write_documents,
)
from tests.documents import toy_rewriter
from tests.encoders.toys import toy_encoder

TEXTS = Path(__file__).parent / "texts"
ADVERT = TEXTS / "advert.txt"


def figure(checked: DocumentsReport, measure: str, what: str = "all") -> float:
    (found,) = [
        one for one in checked.documents[0].figures if (one.measure, one.what) == (measure, what)
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
    (checked,) = check_documents(read_documents(TEXTS / file)).documents
    assert checked.record.document.language == language
    mentions = next(one for one in checked.figures if one.what == "all")
    assert (mentions.count_a, mentions.count_b) == (a, b)


def test_marks_stand_where_their_words_do(toy_rules: None, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p class='he'>The <b>chairman</b> is brave. He&#39;s aggressive.</p>")
    checked = check_documents(read_documents(page), model=fairvec.load("glove-en-small"))
    record = checked.documents[0].record
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
    of_sentences = [each for each in found if each[1] == "leaning"]
    assert of_sentences[0][0].startswith("The <b>")
    assert {side for *_, side in of_sentences} == {""}
    assert {one.side for one in record.marks if one.kind == "describing"} <= {"a", "b"}
    assert [text[one.start : one.end] for one in record.changes] == ["chairman", "He"] * 2
    assert [one.id for one in record.changes] == ["n1", "n2", "s1", "s2"]
    assert figure(checked, "terms", "neutral") == 1


def test_several_documents_are_checked_together_by_language(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(f"She left. He stayed. {name[0]}\n")
    (tmp_path / "c.txt").write_text("Она ушла.\n")
    (tmp_path / "d.txt").write_text("12\n")
    checked = check_documents(read_documents(tmp_path))
    assert len(checked.documents) == 3
    assert {(one.document.name, one.document.language) for one in checked.overall} == {("", "en")}
    every = next(one for one in checked.overall if one.what == "all")
    assert (every.count_a, every.count_b, every.unit) == (2, 2, "documents")
    assert any("1 of 4 documents was passed over" in remark for remark in checked.remarks)
    path = write_documents(checked.lines, tmp_path / "out")
    assert read_document_lines(path) == [*checked.lines]


def test_names_may_be_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Mary met John. She left.")
    read = read_documents(tmp_path / "a.txt")
    assert figure(check_documents(read), "mentions") == pytest.approx(2 / 3)
    assert figure(check_documents(read, names=False), "mentions") == 1


def test_what_cannot_be_checked_is_named(tmp_path: Path) -> None:
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
    def missing_rules(*_: object, **__: object) -> None:
        raise MissingExtraError("Rewriting it", "russian")

    monkeypatch.setattr("fairvec.languages.en.rewriting.suggest", toy_rewriter.suggest)
    monkeypatch.setattr("fairvec.documents.check.suggestions", missing_rules)
    (checked,) = check_documents(read_documents(ADVERT)).documents
    assert any("pip install" in remark for remark in checked.record.remarks)
    assert figure(DocumentsReport((checked,)), "mentions") < 0.5


def test_marks_of_an_endless_text_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(marks, "MOST_MARKS", 10)
    monkeypatch.setattr("fairvec.documents.check.MOST_MARKS", 10)
    (tmp_path / "a.txt").write_text("He left.\n" * 50)
    checked = check_documents(read_documents(tmp_path / "a.txt"))
    record = checked.documents[0].record
    assert isinstance(record, AnnotatedDocument)
    assert len(record.marks) == 10
    assert any("Only the first 10 places are marked" in remark for remark in record.remarks)
    assert checked.documents[0].figures[0].count_a == 50


def test_exactly_as_many_marks_as_are_listed_are_not_cut(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for most, words, cut in ((10, 9, False), (10, 10, False), (10, 11, True)):
        monkeypatch.setattr("fairvec.documents.check.MOST_MARKS", most)
        (tmp_path / "a.txt").write_text("He left.\n" * words)
        record = check_documents(read_documents(tmp_path / "a.txt")).documents[0].record
        assert len(record.marks) == min(words, most)
        assert any("places are marked" in remark for remark in record.remarks) == cut


def test_names_are_swapped_only_where_they_have_counterparts(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Mary lost her keys.\n")
    (tmp_path / "b.txt").write_text("लड़की घर में पढ़ रही है।\n")
    (tmp_path / "c.txt").write_text("Учительница ушла домой.\n")
    english, hindi, russian = check_documents(read_documents(tmp_path), swap_names=True).documents
    assert [edit.new for each in english.changes("swap") for edit in each.edits] == [
        "James",
        "his",
    ]
    for one in (hindi, russian):
        assert any("First names are kept" in remark for remark in one.record.remarks)
        assert not any("First names are kept" in remark for remark in english.record.remarks)
        alone = check_documents(read_documents(one.text.source.path or ""))
        assert [*alone.documents[0].changes("swap")] == [*one.changes("swap")]


UNITS = ["he ", '"He" said: ']


@pytest.mark.parametrize("unit", UNITS)
def test_each_further_megabyte_takes_at_most_twenty(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, unit: str
) -> None:
    """The marks and changes that are listed have an end, and are left out of the account."""
    monkeypatch.setattr("fairvec.documents.check.MOST_MARKS", 10)

    def peak(size: int) -> int:
        (tmp_path / "a.txt").write_text(unit * (size // len(unit)))
        tracemalloc.start()
        (checked,) = check_documents(read_documents(tmp_path / "a.txt")).documents
        assert checked.figures or unit == "a\n"
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    peak(1_000)  # fills the caches
    assert peak(120_000) - peak(60_000) <= 20 * 60_000


def test_rows_of_a_table_are_written_one_by_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A further row of document.jsonl and of the page takes at most twenty times its text."""
    monkeypatch.setattr("fairvec.documents.check.MOST_IN_FULL", 10)
    monkeypatch.setattr("fairvec.report.documents.page.MOST_LISTED", 10)
    row = "The chairman said that she would call her brother. " * 3

    def peak(rows: int) -> int:
        table = tmp_path / "a.csv"
        table.write_text("text\n" + "".join(f"{row}{number}\n" for number in range(rows)))
        page = DocumentsPage()
        tracemalloc.start()
        report = check_documents(read_documents(table, column="text"))
        path = write_documents(page.copy_lines(report.lines), tmp_path, {"a.html": page.render})
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        reads = [line for line in read_document_lines(path) if line.line == "document"]
        assert (len(reads), page.unlisted) == (rows, rows - 10)
        return most

    peak(20)  # fills the caches
    assert peak(200) - peak(100) <= 100 * 20 * len(row)


def test_a_long_paragraph_is_flagged_in_parts_and_never_swapped(tmp_path: Path) -> None:
    text = "The foreman left. " * (2 * LONGEST_PARAGRAPH // 18)
    (tmp_path / "a.txt").write_text(text)
    (checked,) = check_documents(read_documents(tmp_path / "a.txt")).documents
    neutral, swap = ([*checked.changes(aim)] for aim in AIMS)
    assert len(neutral) == len(swap) == text.count("foreman")
    assert all(each.certain for each in neutral)
    assert not any(each.certain for each in swap)


@pytest.mark.parametrize("words", [LONGEST_PART, LONGEST_PART + 1, 5 * LONGEST_PART + 7])
def test_a_sentence_without_an_end_is_read_in_parts_that_miss_nothing(words: int) -> None:
    document = parse_document("word " * words, "en")
    parts = [*document.sentences.in_parts()]
    assert [token for part in parts for token in part.tokens] == [*document.tokens]
    assert all(LONGEST_PART / 2 <= len(part.tokens) <= LONGEST_PART for part in parts)


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_a_finding_says_its_place_as_an_editor_counts(tmp_path: Path, ending: str) -> None:
    """file:line:column of each finding is where its words stand in the file, markup or not."""
    lines = ["<p>It rained.</p>", "<p>The chairman left. The chairman", "slept, and a waitress</p>"]
    file = tmp_path / "a.html"
    file.write_text(ending.join(lines), newline="")
    (checked,) = check_documents(read_documents(file)).documents
    record = checked.record
    assert {each.id for each in record.changes} >= {"n1", "n2", "n3", "s1"}
    findings: list[Annotation | TextChange] = [*record.marks, *record.changes]
    for finding in findings:
        assert finding.file == str(file)
        words = record.text[finding.start : finding.end].splitlines()[0]
        assert lines[finding.line - 1][finding.column - 1 :].startswith(words)


def test_a_finding_names_what_could_stand_there(tmp_path: Path) -> None:
    """The candidates are the words of the list, of a flag too."""
    (tmp_path / "a.txt").write_text('The chairman left. "Each chairman leaves," it said.\n')
    (checked,) = check_documents(read_documents(tmp_path / "a.txt")).documents
    certain, quoted = checked.changes("neutral")
    assert (certain.certain, quoted.certain) == (True, False)
    assert certain.candidates == quoted.candidates == ("chairperson",)
    assert {each.candidates for each in checked.changes("swap")} == {("chairwoman",)}
