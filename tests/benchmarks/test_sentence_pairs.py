"""Sentences about people with a stereotype and its opposite, from a table or StereoSet's JSON."""

import json
import lzma
from pathlib import Path
from typing import Any

import pytest

from fairvec.benchmarks import SentenceChoice, SentencePairSet, kind_of_file, read_benchmark
from fairvec.core.errors import LexiconError

TABLE = "context\tstereotype\tanti-stereotype\nShe came.\tShe cooks.\tShe drives.\n"
ENTRY: dict[str, Any] = {
    "context": "A nurse  came.",
    "target": "nurse",
    "bias_type": "profession",
    "sentences": [
        {"gold_label": "unrelated", "sentence": "Snow falls."},
        {"gold_label": "stereotype", "sentence": "She cares."},
        {"gold_label": "anti-stereotype", "sentence": "He sleeps."},
    ],
}


def stereoset(*entries: object) -> str:
    return json.dumps({"version": "1", "data": {"intersentence": entries, "intrasentence": []}})


def read(text: str, tmp_path: Path) -> SentencePairSet:
    file = tmp_path / "own"
    file.write_text(text, encoding="utf-8")
    found = read_benchmark(file, "sentence-pairs", "en")
    assert isinstance(found, SentencePairSet)
    return found


def test_a_row_without_a_target_is_its_own(tmp_path: Path) -> None:
    (choice,) = read(TABLE, tmp_path).choices
    assert choice == SentenceChoice("She came.", "She cooks.", "She drives.", "", "She came.", "")


def test_the_json_of_stereoset_is_read_packed_or_not(tmp_path: Path) -> None:
    text = stereoset(ENTRY, ENTRY | {"context": "The nurse left."}, ENTRY | {"target": "cook"})
    found = read(text, tmp_path)
    assert found.choices[0] == SentenceChoice(
        *("A nurse came.", "She cares.", "He sleeps.", "Snow falls.", "nurse", "profession")
    )
    assert (len(found), len(found.choices)) == (2, 3)
    packed = tmp_path / "dev.json.xz"
    packed.write_bytes(lzma.compress(text.encode()))
    again = read_benchmark(packed, "sentence-pairs", "en", name=found.name, title=found.title)
    assert again.version == found.version


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("context\tstereotype\tanti-stereotype\n", "holds no sentences"),
        (TABLE + "It\tis\tis\n", "sentence 2: a context needs a stereotype and another"),
        (TABLE + "It\tis\t\n", "sentence 2: a context needs"),
        ("{", "not the JSON of StereoSet"),
        (stereoset(ENTRY | {"sentences": ENTRY["sentences"][1:]}), "not the JSON .*unrelated"),
        (stereoset(ENTRY | {"target": 3}), "not the JSON of StereoSet"),
        (stereoset("text"), "not the JSON of StereoSet"),
        ('{"data": []}', "not the JSON of StereoSet"),
    ],
)
def test_an_odd_file_is_refused_in_a_sentence(text: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(LexiconError, match=sentence):
        read(text, tmp_path)


def test_the_columns_of_a_file_say_its_kind(tmp_path: Path) -> None:
    heads = {
        TABLE: "sentence-pairs",
        "query;document;relevant;content_gender\n": "retrieval",
        "word1,word2,score\n": "similarity",
        "he\tshe\t7\n": "similarity",
        "": "similarity",
    }
    for head, kind in heads.items():
        file = tmp_path / "own.csv"
        file.write_text(head, encoding="utf-8")
        assert kind_of_file(file) == kind, head
