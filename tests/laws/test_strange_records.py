"""A record with any part replaced is refused in one sentence, or everything that reads it can."""

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairvec.api.results import Results
from fairvec.core.errors import FairvecError, FileFormatError
from fairvec.experiments.comparison.compare import compare, of_changed_model
from fairvec.experiments.comparison.table import comparison_rows
from fairvec.report import as_csv, as_latex, as_rich_table, render
from fairvec.report.documents.page import render_documents
from fairvec.report.frontier import render_frontier
from fairvec.report.study import render_study
from fairvec.results import (
    Condition,
    Description,
    DocumentFigure,
    Outcome,
    Unseen,
    UnseenFold,
    document_row,
    read_document_lines,
    read_frontier,
    read_results,
    read_study_lines,
)
from fairvec.results.conditions.gate import results_gate
from tests.laws.strange_values import with_any_part_replaced
from tests.report import outcomes as made
from tests.report.category_answers import with_answers
from tests.report.lists import TESTS
from tests.report.sections.test_frontier import POINTS, SURVEY
from tests.report.sections.test_study import ANSWER, CELLS, HEAD
from tests.results.documents import figure, read_document
from tests.results.make import compared, viewed

Json = dict[str, Any]
MODEL = made.model("glove")
MEASURED = [made.measured(MODEL, test, lean) for test, lean in zip(TESTS, (1, 2), strict=False)]
HONEST: list[Outcome] = [*with_answers([*MEASURED, made.skipped(MODEL, TESTS[4])])]
SHARED = {
    name: getattr(MEASURED[0], name)
    for name in Description.model_fields.keys() - {"status"}
    if name in type(MEASURED[0]).model_fields
}
HONEST += [
    Description(**SHARED, value=0.4, neutral=0.0, meaning="Large is much."),
    compared(),
    compared(kind="kept", of="similarity", test="simlex/all"),
    viewed(),
]
FOLD = UnseenFold(tests=("toy/one",), chosen="hard at 1", before=1.2, left=0.6, harmed=())
JUDGED = Unseen(apart="targets", clean=True, folds=(FOLD, FOLD), share=0.5)


def ask(outcomes: Sequence[Outcome]) -> None:
    """Have outcomes shown in every way, checked, and compared with an honest run."""
    results = Results(outcomes)
    for show in (render, as_csv, as_latex, as_rich_table, repr, Results._repr_html_):
        show(results)
    assert [str(one) for one in results]
    assert len(results.rows()) == len(results)
    assert results.words() is not None
    assert read_again(results.to_jsonl()) == list(results)
    for text in ("p_holm < 0.05 and abs(effect) > 0.5", "mean(abs(effect)) > 0.5"):
        allowed(partial(_gated, results, text))
    for runs in ((HONEST, outcomes), (outcomes, HONEST)):
        allowed(partial(_compared, *runs))


def _gated(results: Results, condition: str) -> None:
    assert results_gate(results, Condition(condition), where="run").headline


def _compared(before: Sequence[Outcome], after: Sequence[Outcome]) -> None:
    comparison_rows(compare(of_changed_model(before), of_changed_model(after)))


def read_again(text: str) -> list[Outcome]:
    with TemporaryDirectory() as folder:
        (Path(folder) / "results.jsonl").write_text(text, encoding="utf-8")
        return read_results(folder)


def allowed(work: Callable[[], object]) -> None:
    """Do what fairvec may refuse."""
    said = ""
    try:
        work()
    except FairvecError as error:
        said = str(error)
    assert "\n" not in said


def of_documents(lines: Sequence[Any]) -> None:
    assert render_documents(lines)
    assert all(document_row(one) for one in lines if isinstance(one, DocumentFigure))


FILES: dict[str, tuple[Sequence[Any], Callable[[Path], Any], Callable[[Any], object]]] = {
    "results.jsonl": (HONEST, read_results, ask),
    "frontier.jsonl": (
        [SURVEY.model_copy(update={"unseen": JUDGED}), *POINTS],
        read_frontier,
        render_frontier,
    ),
    "study.jsonl": ([HEAD, ANSWER, *CELLS], read_study_lines, render_study),
    "document.jsonl": ([read_document(), figure()], read_document_lines, of_documents),
}


def tried(name: str, records: Sequence[Json]) -> None:
    _, read, use = FILES[name]
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
        try:
            found = read(path)
        except FileFormatError as error:
            said = str(error)
            assert said.startswith(str(path))
            assert "\n" not in said
            assert len(said) < 1500
            return
    allowed(lambda: use(found))


def test_honest_records_are_read_and_shown() -> None:
    for name, (honest, _, _) in FILES.items():
        tried(name, [json.loads(record.model_dump_json()) for record in honest])


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=35, deadline=None)
@given(data=st.data())
def test_a_record_with_any_part_replaced_is_refused_or_can_be_shown(
    name: str, data: st.DataObject
) -> None:
    records = [json.loads(record.model_dump_json()) for record in FILES[name][0]]
    number = data.draw(st.integers(0, len(records) - 1))
    record = records[number]
    for _ in range(data.draw(st.integers(1, 2))):
        record = with_any_part_replaced(record, data)
    records[number] = record
    tried(name, records[number:] if data.draw(st.booleans()) else records)


LINE = MEASURED[0].model_dump_json()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (LINE[: len(LINE) // 2], "not a result of schema version 2"),
        (LINE.replace('"seed":7', '"seed":NaN', 1), "NaN is no number"),
        (LINE.replace('"seed":7', '"seed":1e999', 1), "too large"),
        (LINE.replace('"seed":7', '"seed":' + "9" * 5000, 1), "5,000 digits"),
        (LINE.replace('"seed":7', '"seed":7,"seed":8', 1), "'seed' stands twice"),
        (LINE.replace('"weat"', '"\\ud800"', 1), "half a character"),
        (LINE.replace('"history":[', '"history":[' + "[" * 9999, 1), "nested too deeply"),
        (LINE.replace('"verdict":{"kind":"', '"verdict":{"kind":"un', 1), r"kind: .*not 'un"),
        (LINE.replace('"measured"', '"\\n"', 1), "status"),
        (LINE.replace('"schema_version":2', '"schema_version":3', 1), "written by a later"),
        (LINE.replace('"schema_version":2', '"schema_version":-5', 1), "schema_version"),
        (LINE.replace('"schema_version":2', '"schema_version":"x"', 1), "schema_version"),
        (LINE.replace('"schema_version":2', '"schema_version":null', 1), "schema_version"),
        (LINE.replace('"versions":{', '"version":{', 1), "versions"),
        ("[]", "not a result"),
        ("null", "not a result"),
        ('"x"', "not a result"),
        ("5", "not a result"),
    ],
    ids=range(18),
)
def test_the_sentence_names_file_line_field_and_what_stands_there(
    line: str, said: str, tmp_path: Path
) -> None:
    (tmp_path / "results.jsonl").write_text(f"{LINE}\n{line}", encoding="utf-8")
    with pytest.raises(FileFormatError, match=rf"results\.jsonl, line 2: .*{said}") as refused:
        read_results(tmp_path)
    assert len(str(refused.value)) < 1500
    assert "\n" not in str(refused.value)


def test_a_category_s_answer_is_of_a_category(tmp_path: Path) -> None:
    pooled = next(one for one in HONEST if one.status == "pooled").model_dump_json()
    (tmp_path / "results.jsonl").write_text(pooled.replace('"kind":"category"', '"kind":"x"'))
    with pytest.raises(FileFormatError, match=r"test\.kind must be category"):
        read_results(tmp_path)


def test_records_of_two_schemas_lie_side_by_side(tmp_path: Path) -> None:
    older = json.loads(LINE) | {"schema_version": 1}
    (tmp_path / "results.jsonl").write_text(f"{LINE}\n{json.dumps(older)}\n", encoding="utf-8")
    assert [one.schema_version for one in read_results(tmp_path)] == [2, 1]
