"""Records and their documentation."""

import json
import re
from pathlib import Path
from typing import Any

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from fairvec.core.errors import ExpressionError, FileFormatError, UnknownNameError
from fairvec.core.text import one_line
from fairvec.results import Outcome, records
from fairvec.results import records as category
from fairvec.results import records as concept_view
from fairvec.results.conditions.expression import Condition
from fairvec.results.documents import (
    DOCUMENT_COLUMNS,
    DOCUMENT_VALUES,
    MEASURES,
    DocumentLine,
    document_row,
    read_document_lines,
    write_documents,
)
from fairvec.results.identities import Convention
from fairvec.results.study import (
    FailedCell,
    LevelMean,
    StudyLine,
    read_cell,
    read_study_lines,
    write_study,
)
from scripts.document_results import DOCUMENT, SCHEMA, document, schema
from tests.experiments.study.toys import cell, place
from tests.results.toys import (
    compared,
    described,
    figure,
    measured,
    pooled,
    read_document,
    skipped,
    viewed,
)

# --- One record is one readable line, whatever its names hold ---


@pytest.mark.parametrize(
    ("record", "line"),
    [
        (
            measured(effect=-1.0, p=0.01, p_holm=0.02),
            "toy/one on model (weat): biased, d = −1.00 [−2.00, 0.00], large, p = 0.010, "
            "0.020 corrected (Holm)",
        ),
        (skipped(), "toy/two on model (weat): skipped. Only 1 of 4 x were found."),
        (
            compared(),
            "toy/one on model → model, debiased (weat): removed, +1.00 → +0.20, paired p = 0.010",
        ),
        (
            compared(after=None, kind="no-answer", p=None),
            "toy/one on model → model, debiased (weat): not measured, +1.00 → none",
        ),
        (
            compared(before=0.65, after=0.6, kind="kept", of="similarity"),
            "toy/one on model → model, debiased (weat): kept, 0.650 → 0.600, paired p = 0.010",
        ),
        (
            pooled(1.0),
            "category/gender on model (weat): biased, d = +1.00 [0.00, 2.00], large, p = 0.010, "
            "0.020 corrected (Holm), 1 test pooled",
        ),
        (described(), "toy/one on model (rnsb): 0.125, neutral is 0"),
        (
            viewed(changed=False),
            "en/gender:pairs on model (concept-view): 2 pairs compared, the first direction holds "
            "80\N{NO-BREAK SPACE}%",
        ),
    ],
    ids=["measured", "skipped", "compared", "no-answer", "use", "pooled", "described", "viewed"],
)
def test_a_record_is_one_line(record: Outcome, line: str) -> None:
    assert str(record) == one_line(line)


def test_a_difference_of_probabilities_is_not_called_d_and_has_no_size() -> None:
    plain = Convention(name="mean-difference", ddof=0, denominator="none")
    line = str(measured(effect=0.004).model_copy(update={"convention": plain}))
    assert "difference = +0.004 [" in line
    assert "negligible" not in line


def test_the_long_form_stays_for_debugging() -> None:
    assert repr(skipped()).startswith("Skipped(schema_version=")


@given(st.text())
def test_no_name_breaks_a_line(name: str) -> None:
    line = str(measured(model=f"a{name}b"))
    assert line.splitlines() == [line]
    assert not set(line) & {*map(chr, range(32)), "\x7f", "\x9b", "\u2028", "\u202e"}


def test_letters_that_are_joined_stay_joined() -> None:
    assert one_line("क्\u200dष\tнет\x1b[2J") == "क्\u200dष нет [2J"


# --- documentation ---


PINS = (Path(__file__).parents[2] / "constraints.txt").read_text(encoding="utf-8")


def test_the_documentation_is_current() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(), (
        "run: python -m scripts.document_results"
    )


def test_the_schema_is_current() -> None:
    written = SCHEMA.read_text(encoding="utf-8")
    assert meaning(json.loads(written)) == meaning(json.loads(schema())), (
        "run: python -m scripts.document_results"
    )
    if re.search(rf"^pydantic=={re.escape(pydantic.VERSION)}$", PINS, re.MULTILINE):
        assert written == schema(), "run: python -m scripts.document_results"


def meaning(part: Any) -> Any:
    """Return a JSON Schema as every pydantic means it: older ones say some things more or less."""
    if isinstance(part, list):
        return [meaning(each) for each in part]
    if not isinstance(part, dict):
        return part
    meanings = {name: meaning(each) for name, each in part.items()}
    if len(meanings.get("allOf", ())) == 1:
        meanings |= meanings.pop("allOf")[0]
    if meanings.get("enum") == [meanings.get("const")]:
        del meanings["enum"]
    if meanings.get("additionalProperties") is True:  # which goes without saying
        del meanings["additionalProperties"]
    return meanings


def test_every_field_is_described() -> None:
    kinds = [
        kind
        for module in (records, concept_view, category)
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, BaseModel)
    ]
    undescribed = [
        f"{kind.__name__}.{name}"
        for kind in kinds
        for name, field in kind.model_fields.items()
        if not field.description
    ]
    assert undescribed == []


# --- What was found in documents is written whole, read back as it was, and gated ---


def test_records_come_back_as_they_were(tmp_path: Path) -> None:
    lines: list[DocumentLine] = [
        read_document(),
        figure(),
        figure(interval=None, p=None, neutral=None),
    ]
    path = write_documents(lines, tmp_path / "new")
    assert read_document_lines(path) == lines
    assert read_document_lines(tmp_path / "new") == lines


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "holds no records"),
        (b"\xff\xfe", "not UTF-8"),
        (b"[1]\n", "line 1: not a record"),
        (b"\n{}\n", "line 2: not a record"),
        (b'{"line": "figure", "schema_version": 99}\n', "written by a later fairvec"),
        (b'{"line": "figure", "schema_version": 2}\n', "its schema_version is 2"),
        (b'{"line": "figure"}\n', "it has no schema_version"),
        (b'{"line": "figure", "schema_version": 3}\n', "document: Field required"),
        (b"[" * 100_000, "line 1: not a record"),
    ],
)
def test_a_file_of_another_kind_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "document.jsonl").write_bytes(content)
    with pytest.raises(FileFormatError, match=message):
        read_document_lines(tmp_path)


def test_a_folder_without_documents_says_how_to_make_them(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="fairvec document FILE -o"):
        read_document_lines(tmp_path)


def test_a_row_has_every_column_and_its_figures() -> None:
    row = document_row(figure())
    assert list(row) == list(DOCUMENT_COLUMNS)
    assert (row["document"], row["interval_low"], row["count_b"]) == ("a.txt", 0.1, 1)
    assert document_row(figure(interval=None))["interval_high"] is None


def condition(text: str) -> Condition:
    return Condition(text, DOCUMENT_COLUMNS, DOCUMENT_VALUES)


def test_a_condition_knows_the_columns_of_documents() -> None:
    asked = condition("measure == 'mentions' and value < 0.3")
    assert asked(document_row(figure()))
    assert not asked(document_row(figure(value=0.3)))
    assert not condition("interval_low < 1")(document_row(figure(interval=None)))
    with pytest.raises(UnknownNameError, match="did you mean measure"):
        condition("mesure == 'mentions'")
    with pytest.raises(UnknownNameError):
        condition("verdict == 'biased'")
    with pytest.raises(ExpressionError, match="'mention' is no value of measure"):
        condition("measure == 'mention'")
    assert condition("title != 'biased'")(document_row(figure()))


# --- study ---


def test_lines_come_back_with_names_of_any_kind(tmp_path: Path) -> None:
    odd = place("a\u2028b\u0085c")
    lines: list[StudyLine] = [cell(odd, 0.5), FailedCell(place=odd, reason="It ran away.")]
    assert write_study(lines, tmp_path).name == "study.jsonl"
    assert read_study_lines(tmp_path) == lines
    assert read_study_lines(tmp_path / "study.jsonl") == lines


@pytest.mark.parametrize(
    "content",
    ["{", '{"status": "tried"}\n', "\xff"],
    ids=["cut short", "another record", "not UTF-8"],
)
def test_what_is_no_study_is_named(content: str, tmp_path: Path) -> None:
    (tmp_path / "study.jsonl").write_bytes(content.encode("latin-1"))
    with pytest.raises(FileFormatError, match=r"not a record of a study|this is not UTF-8"):
        read_study_lines(tmp_path)
    with pytest.raises(FileFormatError, match="remove it"):
        read_cell(tmp_path / "study.jsonl")


def test_an_empty_place_says_how_to_fill_it(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"fairvec study PLAN\.toml -o"):
        read_study_lines(tmp_path)


def test_what_a_figure_measures_and_a_factor_are_words_of_a_closed_list() -> None:
    assert [figure(measure=one).measure for one in MEASURES] == [*MEASURES]
    with pytest.raises(pydantic.ValidationError, match="measure"):
        figure(measure="mention")
    with pytest.raises(pydantic.ValidationError, match="factor"):
        LevelMean(factor="seed", level="0", mean=0.1, seed_spread=0.1, cells=2)
