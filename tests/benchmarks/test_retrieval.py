"""Queries with documents in versions, read from a table."""

from pathlib import Path

import pytest

from fairvec.benchmarks import GenderedQuery, RetrievalSet, Versions, read_benchmark
from fairvec.core.errors import LexiconError

HEADER = "q_id,relevant,query,doc_title,document,content_gender,exp_stereotype\n"


def row(
    relevant: int, gender: str, document: str, query: str = "who leads", expected: str = "-"
) -> str:
    return f'1,{relevant},{query},The  lead,"{document}",{gender},{expected}\n'


ROWS = (
    row(1, "M", "he leads, he does")
    + row(1, "f", "she leads")
    + row(1, "N", "they lead")
    + row(0, "M", "he rests")
    + row(0, "botrh", "he and she rest")
    + row(1, "F", "she cooks", "who cooks", "Towards female")
)


def read(text: str, tmp_path: Path) -> RetrievalSet:
    file = tmp_path / "own.csv"
    file.write_text(text, encoding="utf-8")
    found = read_benchmark(file, "retrieval", "en")
    assert isinstance(found, RetrievalSet)
    return found


def test_a_query_has_its_documents_by_version(tmp_path: Path) -> None:
    found = read(HEADER + ROWS, tmp_path)
    lead, cook = found.queries
    assert lead == GenderedQuery(
        "who leads",
        Versions("The lead he leads, he does", "The lead she leads", "The lead they lead"),
        Versions("The lead he rests"),
    )
    assert (cook.relevant.female, cook.expected, cook.relevant.male) == (
        *("The lead she cooks", "female"),
        "",
    )
    assert (len(found), found.reads) == (2, "sentences")
    assert set(found.texts) == {
        "who leads",
        "who cooks",
        *filter(None, lead.relevant + lead.other),
    } | {"The lead she cooks"}


def test_a_table_may_lie_in_several_files_with_one_header_each(tmp_path: Path) -> None:
    lines = ROWS.splitlines(keepends=True)
    files = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for file, some in zip(files, (lines[:4], lines[4:]), strict=True):
        file.write_text(HEADER + "".join(some), encoding="utf-8")
    found = read_benchmark(files, "retrieval", "en", name="own")
    assert isinstance(found, RetrievalSet)
    assert found.queries == read(HEADER + ROWS, tmp_path).queries


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the file is empty"),
        (HEADER, "holds no queries"),
        (HEADER.replace("content_gender", "gender"), "no column 'content_gender'"),
        (HEADER + row(1, "M", ""), "line 2: a row needs a query, a document"),
        (HEADER + row(2, "M", "x"), "0 or 1 as relevant, which is '2'"),
        (HEADER + 2 * row(1, "M", "x"), "line 3: the query 'who leads' has two male documents"),
        (HEADER + "1,2\n", "line 2: the row has 2 cells where 7 columns are named"),
    ],
)
def test_an_odd_table_is_refused_in_a_sentence(text: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(LexiconError, match=sentence):
        read(text, tmp_path)
