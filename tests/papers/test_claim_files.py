"""The papers' findings as data: what they name exists, and what they quote is printed."""

import re
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from fairvec.papers import load_paper
from fairvec.papers.claims import claims_of

WITH_TEXTS = ("kumar2020", "malik2022", "bharti2021")


def claims(name: str) -> list[dict[str, Any]]:
    file = files("fairvec.papers") / "data" / "claims" / f"{name}.toml"
    found: list[dict[str, Any]] = tomllib.loads(file.read_text(encoding="utf-8"))["claims"]
    return found


def plain(text: str) -> str:
    """A text without its marks of emphasis, and with one kind of space and of apostrophe."""
    return re.sub(
        r"\s+", " ", text.replace("*", "").replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    )


@pytest.mark.parametrize("name", WITH_TEXTS)
def test_every_quotation_is_printed(name: str, shared_data: Path) -> None:
    texts = list((shared_data.parent / "papers").glob(f"{name}-*.txt"))
    if not texts:
        pytest.skip("the papers' texts are not beside this checkout")
    text = plain(texts[0].read_text(encoding="utf-8"))
    absent = [one["id"] for one in claims(name) if plain(one["quote"]) not in text]
    assert absent == []


@pytest.mark.parametrize("name", WITH_TEXTS)
def test_every_finding_is_told_once_and_in_one_sentence(name: str) -> None:
    found = claims(name)
    for key in ("id", "says"):
        told = [one[key] for one in found]
        assert len(set(told)) == len(told)
    for one in found:
        assert re.fullmatch(r"(?:[^.]|\.\d)+\.", one["says"]), one["says"]
        assert one["quote"], one["id"]
        assert len(one["quote"].split()) <= 25, one["id"]


@pytest.mark.parametrize("name", WITH_TEXTS)
def test_every_cell_named_is_there(name: str) -> None:
    assert [one["id"] for one in claims(name)] == [one.id for one in claims_of(name)]
    tables = {table.id: table for table in load_paper(name).tables}
    for one in claims(name):
        test = one["test"]
        named = [
            test[side] for side in ("cells", "left", "right", "before", "after") if side in test
        ]
        assert named, one["id"]
        for choice in named:
            table = tables[choice["table"]]
            columns = {*choice.get("columns", ()), *filter(None, [choice.get("column")])}
            assert columns <= table.columns.keys(), one["id"]
            assert set(choice.get("rows", ())) <= table.rows.keys(), one["id"]
