"""What helps is said to both readers, the one in Python and the one at the shell."""

import ast
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from fairvec.core.format import method_setting_hint, omit_hint, setting_hint
from fairvec.embedding import Reading

SOURCE = Path(__file__).parents[3] / "src" / "fairvec"
SHARED = ("embedding", "mitigation", "metrics", "geometry", "encoders")
"""What both the shell and Python reach."""

SETTINGS = "|".join(field.name for field in fields(Reading))
IN_PYTHON = re.compile(rf"\b({SETTINGS})=('|\.\.\.|\{{| )")
AT_THE_SHELL = re.compile(rf"--({SETTINGS.replace('_', '-')})\b")


def texts(module: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(module):
        if not isinstance(node, ast.Raise) or node.exc is None:
            continue
        for each in ast.walk(node.exc):
            if isinstance(each, ast.JoinedStr):
                parts = (p.value if isinstance(p, ast.Constant) else "{}" for p in each.values)
                yield each.lineno, "".join(map(str, parts))
            elif isinstance(each, ast.Constant) and isinstance(each.value, str):
                yield each.lineno, each.value


def one_sided(text: str) -> bool:
    if "keys=" in text:  # of arrays, which no shell has
        return False
    python = {said[0] for said in IN_PYTHON.findall(text)}
    shell = {said.replace("-", "_") for said in AT_THE_SHELL.findall(text)}
    return python != shell


def messages() -> Iterator[tuple[str, str]]:
    for folder in SHARED:
        for file in sorted((SOURCE / folder).rglob("*.py")):
            # To the parser a part of a longer text is a text too; the whole one stands beside it.
            whole = [*texts(ast.parse(file.read_text("utf-8")))]
            for line, text in whole:
                if not any(text != other and text in other for _, other in whole):
                    yield f"{file.relative_to(SOURCE)}:{line}", text


def test_no_message_names_a_setting_of_reading_to_one_kind_of_reader_alone() -> None:
    found = [*messages()]
    assert len(found) > 100  # the search finds messages at all
    assert [where for where, text in found if one_sided(text)] == []


@pytest.mark.parametrize(
    "text", ["use invalid_utf8='replace'.", "leave out format= here", "say --outside project"]
)
def test_the_search_finds_what_is_said_to_one_alone(text: str) -> None:
    assert one_sided(text)


def test_a_remedy_is_a_keyword_and_an_option() -> None:
    assert (
        setting_hint("invalid_utf8", "replace") == "invalid_utf8='replace' (--invalid-utf8 replace)"
    )
    assert method_setting_hint("lengths", "kept") == "lengths='kept' (--set lengths=kept)"
    assert omit_hint("invalid_utf8") == "invalid_utf8= (--invalid-utf8)"
    assert not one_sided(setting_hint("geometry", "euclidean"))
