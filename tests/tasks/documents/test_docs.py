"""The page about documents says what is so."""

import re
from pathlib import Path

import pytest

import fairvec
from fairvec.documents.check import check_documents
from fairvec.documents.read import read_documents
from fairvec.results import DOCUMENT_COLUMNS, MEASURES

PAGE = (Path(__file__).parents[3] / "docs" / "documents.md").read_text(encoding="utf-8")
TEXTS = Path(__file__).parent / "texts"


def test_every_column_and_measure_is_named() -> None:
    for name in (*DOCUMENT_COLUMNS, *MEASURES):
        assert re.search(rf"\b{name}\b", PAGE), name


@pytest.mark.parametrize(
    ("file", "model"),
    [
        ("advert.txt", "glove-en-small"),
        ("school.hi.txt", "glove-hi-small"),
        ("town.ru.txt", "navec-ru-small"),
    ],
)
def test_the_figures_of_the_three_texts_are_those_of_a_run(file: str, model: str) -> None:
    judged = check_documents(read_documents(TEXTS / file), model=fairvec.load(model))
    found = {
        one.measure: one
        for one in judged.documents[0].figures
        if one.what == "all" and one.measure != "coded"
    }
    mentions, near, leaning = found["mentions"], found["near-overall"], found["leaning"]
    assert mentions.interval is not None
    cells = [
        f"`{file}` ({model})",
        f"{mentions.count_a}, {mentions.count_b}",
        f"{mentions.value:.0%}".replace("%", " %"),
        f"{mentions.interval.low * 100:.0f} to {mentions.interval.high * 100:.0f} %",
        f"{mentions.p:.2f}",
        f"{near.value:.2f}, {near.neutral:.2f}",
        f"{leaning.value:+.3f}, {leaning.neutral:+.3f}",
    ]
    assert f"| {' | '.join(cells)} |" in PAGE
