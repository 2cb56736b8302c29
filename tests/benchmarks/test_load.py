"""Benchmark files are read whole, and a malformed line is refused with its place."""

import re
from pathlib import Path

import numpy as np
import pytest

from fairvec.benchmarks import (
    AnalogyQuestion,
    AnalogySet,
    Choice,
    RatedPair,
    Section,
    SemBiasSet,
    SimilaritySet,
    benchmark,
    benchmarks_for_language,
    find_words,
    read_benchmark,
    text_vectors,
)
from fairvec.benchmarks.analogy import parse_analogies
from fairvec.benchmarks.sembias import parse_sembias
from fairvec.benchmarks.similarity import parse_similarity
from fairvec.catalogue import Dataset, dataset, datasets
from fairvec.core.errors import LexiconError, SettingError, UnknownNameError
from fairvec.embedding import Embedding

# --- files ---


def test_a_file_of_ones_own_is_called_after_itself(tmp_path: Path) -> None:
    path = tmp_path / "ours.csv"
    path.write_bytes(b"\xef\xbb\xbfa,b,1\r\n")
    ours = read_benchmark(path, "similarity", "en")
    assert isinstance(ours, SimilaritySet)
    assert (ours.name, ours.title, ours.language, ours.source) == ("ours", "ours", "en", str(path))
    assert ours.texts == ("a", "b")
    assert len(ours) == 1


def test_what_is_not_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ours.csv"
    path.write_bytes(b"a,b,1\n\xff,b,2\n")
    with pytest.raises(LexiconError, match=r"ours\.csv, line 2: this is not UTF-8"):
        read_benchmark(path, "similarity", "en")
    with pytest.raises(LexiconError, match="cannot be read"):
        read_benchmark(tmp_path / "absent", "similarity", "en")


def test_more_rows_than_there_are_cannot_be_held_out(tmp_path: Path) -> None:
    path = tmp_path / "ours.tsv"
    path.write_text("a:b\tc:d\te:f\tg:h\n", encoding="utf-8")
    assert len(read_benchmark(path, "sembias", "en", held_out=1)) == 1
    with pytest.raises(SettingError, match="2 rows cannot be held out of 1"):
        read_benchmark(path, "sembias", "en", held_out=2)


def test_an_unknown_benchmark_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean ws353"):
        benchmark("ws354")


def test_what_is_available_is_reported_from_what_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRVEC_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("FAIRVEC_DATA", str(tmp_path))
    assert benchmarks_for_language("hi", at_hand=True) == ()
    assert benchmarks_for_language("hi", at_hand=False) == ("hindi-ws",)
    file = tmp_path / dataset("hindi-ws").file
    file.parent.mkdir()
    file.touch()
    assert benchmarks_for_language("hi", at_hand=True) == ("hindi-ws",)


@pytest.mark.parametrize("known", datasets(), ids=lambda known: known.name)
def test_published_benchmarks_are_read_whole(
    known: Dataset, shared_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRVEC_DATA", str(shared_data))
    found = benchmark(known.name)
    assert len(found) == known.rows
    assert (found.kind, found.language, found.licence) == (
        known.kind,
        known.language,
        known.licence,
    )
    assert all(word == word.strip() != "" for word in found.texts)
    if isinstance(found, AnalogySet):
        assert {section.name: section.kind for section in found.sections} == known.sections
    if isinstance(found, SemBiasSet):
        last = (shared_data / "sembias" / "SemBias_subset_last40.tsv").read_text(encoding="utf-8")
        rows = [
            "\t".join(":".join(pair) for pair in row.pairs) for row in found.rows[-found.held_out :]
        ]
        assert rows == last.splitlines()


def test_capitals_stay(shared_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRVEC_DATA", str(shared_data))
    assert "Jerusalem" in benchmark("ws353").texts


def test_a_kind_that_does_not_exist_is_answered_with_the_nearest(tmp_path: Path) -> None:
    path = tmp_path / "ours.csv"
    path.write_text("a,b,1\n", encoding="utf-8")
    with pytest.raises(UnknownNameError, match="did you mean similarity"):
        read_benchmark(path, "similarities", "en")


# --- vocabulary ---


MODEL = Embedding(
    ["jerusalem", "new", "york", "nothing", "ёж_NOUN"],
    np.array([[1.0, 0], [0, 1], [0, 3], [0, 0], [2, 2]]),
)


def test_words_are_found_by_the_rules_of_the_look_up() -> None:
    found = text_vectors(["Jerusalem", "New York", "nothing", "absent"], MODEL, "en")
    assert {word: vector.tolist() for word, vector in found.items()} == {
        "Jerusalem": [1, 0],
        "New York": [0, 2],
    }


def test_a_part_without_a_vector_leaves_the_entry_without_one() -> None:
    assert text_vectors(["new nothing"], MODEL, "en") == {}


def test_the_language_decides() -> None:
    tagged = Embedding(["ёж_NOUN", "еда_NOUN"], np.eye(2))
    assert find_words(["еж"], tagged, "en") == {}
    assert find_words(["еж"], tagged, "ru")["еж"].key == "ёж_NOUN"


# --- parsers ---


PAIRS = (RatedPair("Tiger", "cat", 7.35), RatedPair("книга", "ёж", -0.5))


@pytest.mark.parametrize(
    "text",
    [
        "Tiger\tcat\t7.35\nкнига\tёж\t-0.5\n",
        "Tiger\tcat\t7.35\r\nкнига\tёж\t-0.5",
        "Tiger cat 7.35\nкнига  ёж -.5\n\n",
        "word1;word2;sim\nTiger; cat; 7.35\nкнига;ёж;-0.5\n",
        "Word 1\tWord 2\tScore\nTiger\tcat\t7.35\nкнига\tёж\t-0.5\n",
        ',word1,word2,similarity\n0,Tiger,cat,7.35\n1,"книга","ёж",-0.5\n',
        ",similarity,word1,word2\n0,7.35,Tiger,cat\n1,-0.5,книга,ёж\n",
    ],
)
def test_pairs_are_read_in_every_published_form(text: str) -> None:
    assert parse_similarity(text, "here") == PAIRS


def test_an_entry_may_have_several_words() -> None:
    assert parse_similarity("New York,big apple,9\n", "here") == (
        RatedPair("New York", "big apple", 9.0),
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "here: the file holds no pairs"),
        ("word1,word2,sim\n", "here: the file holds no pairs"),
        ("a\tb\t1\n\na\tb\n", "here, line 3: 2 cells stand where 3 should"),
        ("a,b,1\na,b,c,1\n", "here, line 2: 4 cells stand where 3 should"),
        ("a,b,1\na,,2\n", "here, line 2: a word is empty"),
        ("a,b,x\n", "here, line 1: the score 'x' is not a number"),
        ("a;b;7,35\n", "here, line 1: the score '7,35' is not a number; write it like 7.35."),
        ("a,b,nan\n", "here, line 1: the score 'nan' is not a number"),
        ("word1,word2,liking\na,b,1\n", "here, line 1: the header names no score"),
    ],
)
def test_an_odd_table_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(LexiconError, match=re.escape(complaint)):
        parse_similarity(text, "here")


def test_sections_have_their_kinds() -> None:
    text = ": family\nboy girl man woman\n\n: gram1-x\r\na b c d\r\nE f g h\r\n: empty\n"
    assert parse_analogies(text, "here", {"family": "semantic", "gram1-x": "syntactic"}) == (
        Section("family", "semantic", (AnalogyQuestion("boy", "girl", "man", "woman"),)),
        Section("gram1-x", "syntactic", (AnalogyQuestion(*"abcd"), AnalogyQuestion(*"Efgh"))),
    )


def test_questions_need_no_heading() -> None:
    assert parse_analogies("a b c d\n", "here", {}) == (
        Section("", "", (AnalogyQuestion(*"abcd"),)),
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (": family\n", "here: the file holds no questions"),
        (": x\na b c d\na b c\n", "here, line 3: a question has four words, not 3"),
        (": x\na b c d\n: x\n", "here, line 3: the section 'x' begins twice"),
    ],
)
def test_an_odd_file_of_questions_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(LexiconError, match=re.escape(complaint)):
        parse_analogies(text, "here", {})


def test_rows_of_choices_are_read() -> None:
    assert parse_sembias("priest:nun\tdog:bitch\tbook:magazine\tdoctor:nurse\r\n", "here") == (
        Choice(
            definition=("priest", "nun"),
            none=(("dog", "bitch"), ("book", "magazine")),
            stereotype=("doctor", "nurse"),
        ),
    )


@pytest.mark.parametrize("row", ["a:b\tc:d\te:f", "a:b\tc:d\te:f\tg", "a:b\tc:d\te:f\tg:", "x"])
def test_an_odd_row_of_choices_is_refused(row: str) -> None:
    with pytest.raises(LexiconError, match="here, line 2: a row has four pairs"):
        parse_sembias(f"a:b\tc:d\te:f\tg:h\n{row}\n", "here")


def test_a_file_without_choices_is_refused() -> None:
    with pytest.raises(LexiconError, match="here: the file holds no rows"):
        parse_sembias("\n", "here")
