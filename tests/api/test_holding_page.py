"""The page about models from what people hold tells the truth."""

import re
from pathlib import Path
from typing import Any

import pytest

from fairvec.embedding import Embedding
from fairvec.embedding.formats import FORMATS, WRITERS

PAGE = Path(__file__).parents[2] / "docs" / "holding.md"


def test_its_example_runs() -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(program, names)
    model = names["model"]
    assert isinstance(model, Embedding)
    (first, most), (second, less) = model.most_similar("doctor", 2)
    told = re.search(r'\("(\w+)", ([0-9.]+?)\.\.\.\), \("(\w+)", ([0-9.]+?)\.\.\.\)', program)
    assert told is not None
    assert (told[1], told[3]) == (first, second)
    assert most == pytest.approx(float(told[2]), abs=1e-3)
    assert less == pytest.approx(float(told[4]), abs=1e-3)


def test_its_table_says_which_formats_are_read_and_written() -> None:
    text = PAGE.read_text(encoding="utf-8").partition("## From files")[2]
    rows = [line.split("|")[1:] for line in text.splitlines() if line.startswith("| `")]
    written = {
        name: cells[3].strip() == "yes"
        for cells in rows
        for name in re.findall(r"`(.+?)`", cells[0])
    }
    known = {each.name for each in FORMATS}
    others = {name for name in known if name.startswith(("gensim", "fasttext", "navec"))}
    assert set(written) == known - others
    assert {name for name, yes in written.items() if yes} == {each.name for each in WRITERS}
