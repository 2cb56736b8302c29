"""Malformed files and records are refused in one sentence."""

import json
import tomllib
from collections.abc import Callable, Iterator, Sequence
from datetime import date, time
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import fairvec
from fairvec.api.results import Results
from fairvec.benchmarks import benchmark, load_reviews
from fairvec.core.errors import FairvecError, FileFormatError
from fairvec.core.io.read_files import is_file, is_folder, is_there
from fairvec.core.io.safetensors import open_tensors, write_tensors
from fairvec.documents.read import read_sources
from fairvec.embedding import Embedding
from fairvec.experiments.audit.audit import audit
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.comparison.compare import compare, of_changed_model
from fairvec.experiments.comparison.table import comparison_rows
from fairvec.experiments.study.plan import read_study
from fairvec.geometry import Poincare
from fairvec.lexicon import concept as concepts_concept
from fairvec.lexicon import lint_suite, parse_suite, select_tests
from fairvec.lexicon.concepts import parse_concepts
from fairvec.messages.gates import gate_headline
from fairvec.mitigation import Transform, load_transform, save_transform
from fairvec.mitigation.methods.pgd import PGD, PgdExact
from fairvec.mitigation.methods.projection import LinearProjection
from fairvec.mitigation.moves import Move, Projection
from fairvec.mitigation.transform_file import MOVES
from fairvec.papers import as_csv as spreadsheet
from fairvec.papers import as_markdown, claims_of, load_paper, records_of, reproduce
from fairvec.report import as_csv, as_latex, audit_table, render
from fairvec.report.documents.page import render_documents
from fairvec.report.frontier import render_frontier
from fairvec.report.reproduction import render_reproduction
from fairvec.report.study import render_study
from fairvec.results import Outcome, read_results
from fairvec.results.conditions.expression import Condition
from fairvec.results.conditions.gate import results_gate
from fairvec.results.documents import DocumentMeasure, document_row, read_document_lines
from fairvec.results.frontier import HeldOutCheck, HeldOutFold, read_frontier
from fairvec.results.records import Description
from fairvec.results.reproduction import ReproductionRecords, read_reproduction
from fairvec.results.study import read_study_lines
from fairvec.testing.planted import TEXT
from fairvec.training.text import corpus_files
from tests import toys
from tests.laws.helpers import examples
from tests.loops import loop_over
from tests.mitigation.toys import concept, embedding, every_method
from tests.report import outcomes as made
from tests.report.outcomes import TESTS, with_answers
from tests.report.sample_records import ANSWER, CELLS, HEAD, POINTS, SURVEY
from tests.resource_limits import outcome
from tests.results.toys import compared, figure, read_document, viewed

# --- What a stranger may have put in the place of a value, and putting it there ---


Place = tuple[str | int, ...]

TEXTS = [
    *("", " ", "x", "nan", "1e999", "\n", "\x00", "\x1b[31m", "\u202e", "<script>", "=cmd", "%s"),
    *("[bold]", "x" * 3000, "\N{GRINNING FACE}", "a", "b", "y", "words", "pair", "en", "zz"),
    *("bias", "category", "concept", "movement", "similarity", "weat", "none", "poincare-x3"),
]
NUMBERS = [0, -1, 1, 5, 2**62, -(2**62), 2**70, 10**299, 0.5, -0.5, 1.5, 1e-320, 1e299, -1e299, 1e9]

STRANGE: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.sampled_from(NUMBERS) | st.sampled_from(TEXTS),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["", "x", "name", "action"]), inner, max_size=2)
    ),
    max_leaves=4,
)


def places(value: Any, here: Place = ()) -> Iterator[Place]:
    """Yield the place of every part of a value; of long lists those of the first three."""
    if here:
        yield here
    if isinstance(value, dict):
        for name, part in value.items():
            yield from places(part, (*here, name))
    elif isinstance(value, list):
        for number, part in enumerate(value[:3]):
            yield from places(part, (*here, number))


def at(value: Any, place: Place) -> Any:
    """Return the part of a value at a place."""
    for name in place:
        value = value[name]
    return value


def with_part(value: Any, place: Place, part: Any) -> Any:
    """Return a copy in which another part stands at a place."""
    if not place:
        return part
    copied: Any = dict(value) if isinstance(value, dict) else list(value)
    copied[place[0]] = with_part(copied[place[0]], place[1:], part)
    return copied


def without_part(value: Any, place: Place) -> Any:
    """Return a copy that lacks the part at a place."""
    *outer, last = place
    holder = at(value, tuple(outer))
    remaining: Any = dict(holder) if isinstance(holder, dict) else list(holder)
    del remaining[last]
    return with_part(value, tuple(outer), remaining)


def with_any_part_replaced(
    value: Any, data: st.DataObject, others: st.SearchStrategy[Any] | None = None
) -> Any:
    """Return a copy in which one part is missing or another: of its kind, strange, of `others`."""
    place = data.draw(st.sampled_from([*places(value)]))
    ways = {"of its kind": of_its_kind(at(value, place)), "strange": STRANGE}
    if others is not None:
        ways["other"] = others
    way = data.draw(st.sampled_from(["of its kind", *ways, "missing"]))
    if way == "missing":
        return without_part(value, place)
    return with_part(value, place, data.draw(ways[way]))


def of_its_kind(value: Any) -> st.SearchStrategy[Any]:
    """Return what may well be read in the place of a value: strange, but of its type."""
    if isinstance(value, bool):
        return st.booleans()
    if isinstance(value, int | float):
        return st.sampled_from(NUMBERS)
    if isinstance(value, str):
        return st.sampled_from(TEXTS)
    if isinstance(value, list):
        return st.sampled_from([[], value[:1], value * 2, value[::-1]])
    if isinstance(value, dict):
        return st.sampled_from(
            [{}, dict([*value.items()][:-1]), {f"{k} ": v for k, v in value.items()}]
        )
    return STRANGE


# --- A suite, concept or plan with any part replaced is refused in one sentence, or can be used


MODEL, PLANTED = toys.embedding(1.0), embedding()
PLAN = """
language = "en"
windows = [3]
dims = [4]
seeds = [1, 2]
suites = ["toy.toml"]
[corpora]
one = ["one.txt"]
two = ["two.txt"]
[models.glove]
epochs = 2
"""


def as_suite(text: str) -> None:
    suite = parse_suite(text, "my.toml")
    lint_suite(suite)
    few = Statistics(method="sampled", samples=100, interval="none")
    assert audit(MODEL, suites=[suite], statistics=few)


def as_concepts(text: str) -> None:
    for one_concept in parse_concepts(text, "my.toml"):
        assert LinearProjection().fit(PLANTED, one_concept).concept


def as_plan(text: str) -> None:
    with TemporaryDirectory() as folder:
        for name in ("one.txt", "two.txt"):
            (Path(folder) / name).write_text(f"{name} a b c", encoding="utf-8")
        (Path(folder) / "toy.toml").write_text(toys.suite_text(), encoding="utf-8")
        (Path(folder) / "my.toml").write_text(text, encoding="utf-8")
        assert read_study(Path(folder) / "my.toml").tests


KINDS: dict[str, tuple[str, Callable[[str], None]]] = {
    "suite": (toys.suite_text(), as_suite),
    "concepts": (TEXT, as_concepts),
    "plan": (PLAN, as_plan),
}
DATES = st.sampled_from([date(2020, 2, 29), time(1, 2)])


def as_toml(value: Any) -> str:
    """Return a value as TOML: tables inline, texts as JSON has them."""
    match value:
        case dict():
            return "{" + ", ".join(f"{as_toml(k)} = {as_toml(v)}" for k, v in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(as_toml, value)) + "]"
        case date() | time():
            return value.isoformat()
        case str():
            return json.dumps(value, ensure_ascii=False)
        case None:
            return "inf"
    return json.dumps(value)


def refusal_of(text: str, use: Callable[[str], None]) -> str:
    """Return what fairvec says against a file; nothing if it takes it."""
    try:
        use(text)
    except FairvecError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("kind", KINDS)
def test_a_valid_file_is_accepted(kind: str) -> None:
    honest, use = KINDS[kind]
    same = "\n".join(f"{k} = {as_toml(v)}" for k, v in tomllib.loads(honest).items())
    assert refusal_of(honest, use) == refusal_of(same, use) == ""


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_a_file_with_any_part_replaced_is_refused_or_used(kind: str, data: st.DataObject) -> None:
    honest, use = KINDS[kind]
    found = with_any_part_replaced(tomllib.loads(honest), data, DATES)
    message = refusal_of("\n".join(f"{as_toml(k)} = {as_toml(v)}" for k, v in found.items()), use)
    assert "\n" not in message
    assert len(message) < 3500


@pytest.mark.parametrize("kind", KINDS)
def test_nesting_and_digits_are_refused_in_one_sentence(kind: str) -> None:
    honest, use = KINDS[kind]
    for value in ("[" * 100_000, "9" * 5000, "0x" + "f" * 5000, "{a = " * 3000, "nan", "1e400"):
        message = refusal_of(f"strange = {value}\n{honest}", use)
        assert "my.toml" in message
        assert len(message) < 500


def test_very_many_faults_and_very_long_names_end_soon() -> None:
    code = """
from fairvec.core.errors import FairvecError
from fairvec.lexicon import parse_suite
from tests import toys
honest = toys.suite_text()
for text in (
    "\\n".join(f"languag{n} = 1" for n in range(30_000)) + honest,
    "l" * 1_000_000 + " = 1\\n" + honest,
    honest + "".join(f'[[tests]]\\nid = "t{n}"\\n' for n in range(20_000)),
):
    try:
        parse_suite(text, "my.toml")
    except FairvecError as error:
        print(len(str(error)) < 3000)
"""
    assert (
        outcome(f"import sys; sys.path.insert(0, {str(Path(__file__).parents[2])!r})\n{code}")
        == "True"
    )


# --- A record with any part replaced is refused in one sentence, or everything that reads it can


Json = dict[str, Any]
MODEL_RECORDS = made.model("glove")
MEASURED = [
    made.measured(MODEL_RECORDS, test, lean) for test, lean in zip(TESTS, (1, 2), strict=False)
]
HONEST: list[Outcome] = [*with_answers([*MEASURED, made.skipped(MODEL_RECORDS, TESTS[4])])]
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
FOLD = HeldOutFold(tests=("toy/one",), chosen="hard at 1", before=1.2, left=0.6, harmed=())
JUDGED = HeldOutCheck(apart="targets", clean=True, folds=(FOLD, FOLD), share=0.5)


def ask(outcomes: Sequence[Outcome]) -> None:
    """Have outcomes shown in every way, checked, and compared with an honest run."""
    results = Results(outcomes)
    for show in (render, as_csv, as_latex, audit_table, repr, Results._repr_html_):
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
    assert gate_headline(results_gate(results, Condition(condition), where="run"))


def _compared(before: Sequence[Outcome], after: Sequence[Outcome]) -> None:
    comparison_rows(compare(of_changed_model(before), of_changed_model(after)))


def read_again(text: str) -> list[Outcome]:
    with TemporaryDirectory() as folder:
        (Path(folder) / "results.jsonl").write_text(text, encoding="utf-8")
        return read_results(folder)


def allowed(work: Callable[[], object]) -> None:
    """Do what fairvec may refuse."""
    message = ""
    try:
        work()
    except FairvecError as error:
        message = str(error)
    assert "\n" not in message


def of_documents(lines: Sequence[Any]) -> None:
    assert render_documents(lines)
    assert all(document_row(one) for one in lines if isinstance(one, DocumentMeasure))


def small_reproduction() -> ReproductionRecords:
    """One row of the poster and one claim about it, on the shipped model."""
    poster = load_paper("pestova")
    (table,) = poster.tables
    name = next(iter(table.rows))
    part = table.model_copy(update={"rows": {name: table.rows[name]}})
    cut = poster.model_copy(update={"tables": (part,)})
    claims = [claim for claim in claims_of("pestova") if claim.id == "news-skip-leans"]
    return records_of(reproduce(cut, claims=claims))


def of_a_paper(records: ReproductionRecords) -> None:
    assert as_markdown(records)
    assert spreadsheet(records)
    assert render_reproduction(records)


FILES: dict[str, tuple[Sequence[Any], Callable[[Path], Any], Callable[[Any], object]]] = {
    "results.jsonl": (HONEST, read_results, ask),
    "frontier.jsonl": (
        [SURVEY.model_copy(update={"unseen": JUDGED}), *POINTS],
        read_frontier,
        render_frontier,
    ),
    "study.jsonl": ([HEAD, ANSWER, *CELLS], read_study_lines, render_study),
    "document.jsonl": ([read_document(), figure()], read_document_lines, of_documents),
    "reproduction.jsonl": (small_reproduction().lines, read_reproduction, of_a_paper),
}


def tried(name: str, records: Sequence[Json]) -> None:
    _, read, use = FILES[name]
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
        try:
            found = read(path)
        except FileFormatError as error:
            message = str(error)
            assert message.startswith(str(path))
            assert "\n" not in message
            assert len(message) < 1500
            return
    allowed(lambda: use(found))


def test_valid_records_are_read_and_displayed() -> None:
    for name, (honest, _, _) in FILES.items():
        tried(name, [json.loads(record.model_dump_json()) for record in honest])


@pytest.mark.parametrize("name", FILES)
@given(data=st.data())
def test_a_record_with_any_part_replaced_is_refused_or_can_be_displayed(
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
    ("line", "message"),
    [
        (LINE[: len(LINE) // 2], "not a result of schema version 3"),
        (LINE.replace('"seed":7', '"seed":NaN', 1), "NaN is no number"),
        (LINE.replace('"seed":7', '"seed":1e999', 1), "too large"),
        (LINE.replace('"seed":7', '"seed":' + "9" * 5000, 1), "5,000 digits"),
        (LINE.replace('"seed":7', '"seed":7,"seed":8', 1), "'seed' stands twice"),
        (LINE.replace('"weat"', '"\\ud800"', 1), "half a character"),
        (LINE.replace('"history":[', '"history":[' + "[" * 9999, 1), "nested too deeply"),
        (LINE.replace('"verdict":{"kind":"', '"verdict":{"kind":"un', 1), r"kind: .*not 'un"),
        (LINE.replace('"measured"', '"\\n"', 1), "status"),
        (LINE.replace('"schema_version":3', '"schema_version":4', 1), "written by a later"),
        (LINE.replace('"schema_version":3', '"schema_version":-5', 1), "schema_version"),
        (LINE.replace('"schema_version":3', '"schema_version":"x"', 1), "schema_version"),
        (LINE.replace('"schema_version":3', '"schema_version":null', 1), "schema_version"),
        (LINE.replace('"versions":{', '"version":{', 1), "versions"),
        ("[]", "not a result"),
        ("null", "not a result"),
        ('"x"', "not a result"),
        ("5", "not a result"),
    ],
    ids=range(18),
)
def test_the_error_names_file_line_field_and_value(line: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").write_text(f"{LINE}\n{line}", encoding="utf-8")
    with pytest.raises(FileFormatError, match=rf"results\.jsonl, line 2: .*{message}") as refused:
        read_results(tmp_path)
    assert len(str(refused.value)) < 1500
    assert "\n" not in str(refused.value)


def test_a_category_s_answer_is_of_a_category(tmp_path: Path) -> None:
    pooled = next(one for one in HONEST if one.status == "pooled").model_dump_json()
    (tmp_path / "results.jsonl").write_text(pooled.replace('"kind":"category"', '"kind":"x"'))
    with pytest.raises(FileFormatError, match=r"test\.kind must be category"):
        read_results(tmp_path)


@pytest.mark.parametrize("older", [{"schema_version": 1}, {"schema_version": 2}, {}])
def test_a_record_of_an_earlier_schema_is_refused_with_what_to_do(
    older: dict[str, int], tmp_path: Path
) -> None:
    record = {name: value for name, value in json.loads(LINE).items() if name != "schema_version"}
    (tmp_path / "results.jsonl").write_text(f"{LINE}\n{json.dumps(record | older)}\n", "utf-8")
    with pytest.raises(FileFormatError, match=r"line 2: .*schema_version.*run 'fairvec audit'"):
        read_results(tmp_path)


# --- A transform's file with any field or array changed is refused when it is read, or works ---


Parts = tuple[dict[str, str], dict[str, NDArray[Any]]]


def _ball() -> Embedding:
    flat = embedding()
    return Embedding(flat.keys, np.asarray(flat.vectors) / 10, Poincare(1.0), "ball")


@cache
def fitted() -> dict[type[Move], tuple[Transform, Embedding]]:
    """Return a transform of every kind of move that methods give, and a model that it moves."""
    flat, ball = embedding(), _ball()
    fits = [
        (PGD(), ball),
        (PGD(solver="riemannian-adam", epochs=2), ball),
        *((method, flat) for method in every_method()),
    ]
    found = [(method.fit(model, concept()), model) for method, model in fits]
    return {type(one.move): (one, model) for one, model in reversed(found)}


@cache
def saved(move: type[Move]) -> Parts:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "one.safetensors"
        save_transform(fitted()[move][0], path)
        file = open_tensors(path)
        return dict(file.metadata), {name: np.array(file.tensor(name)) for name in file.entries}


def used(move: type[Move], metadata: dict[str, str], tensors: dict[str, NDArray[Any]]) -> None:
    """Read a file of these parts and move an embedding by it; only fairvec's errors may come."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "one.safetensors"
        write_tensors(path, tensors, metadata)
        try:
            transform = load_transform(path)
            moved = transform.transform(fitted()[move][1])
        except FairvecError:
            return
        assert np.isfinite(moved.vectors).all()
        assert moved.geometry.contains(np.asarray(moved.vectors, np.float64)).all()
        assert moved.history[-1].details["fitted_on"] == list(transform.fitted_on)


@pytest.mark.parametrize("move", MOVES, ids=lambda move: move.name)
def test_what_was_saved_is_read_and_moves_as_before(move: type[Move], tmp_path: Path) -> None:
    transform, model = fitted()[move]
    save_transform(transform, tmp_path / "one")
    again = load_transform(tmp_path / "one").transform(model)
    np.testing.assert_array_equal(again.vectors, transform.transform(model).vectors)


@examples(120)
@given(st.sampled_from(MOVES), st.data())
def test_any_field_may_have_any_value(move: type[Move], data: st.DataObject) -> None:
    metadata, tensors = saved(move)
    name = data.draw(st.sampled_from(sorted(metadata)))
    value = data.draw(STRANGE.map(json.dumps) | st.sampled_from(["", "NaN", "1e999", "[" * 10_000]))
    used(move, {**metadata, name: value}, tensors)


NUMBERS_TRANSFORMS = st.sampled_from(
    [np.nan, np.inf, -np.inf, 1e308, -1e200, 1e149, 1e9, -1.0, 0.0, 1e-320]
)


@examples(120)
@given(st.sampled_from(MOVES), st.data())
def test_any_number_may_have_any_value(move: type[Move], data: st.DataObject) -> None:
    metadata, tensors = saved(move)
    name = data.draw(st.sampled_from(sorted(tensors)))
    changed = tensors[name].copy()
    if changed.size:
        changed.flat[data.draw(st.integers(0, changed.size - 1))] = data.draw(NUMBERS_TRANSFORMS)
    used(move, metadata, {**tensors, name: changed})


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e200, 0.5])
def test_a_ball_transform_with_a_wrong_number_is_refused_when_it_is_read(
    bad: float, tmp_path: Path
) -> None:
    metadata, tensors = saved(PgdExact)
    path = tmp_path / "ball.safetensors"
    for name, place in (("basis", 0), ("numbers", 1), ("numbers", 0)):
        changed = tensors[name].copy()
        changed.flat[place] = bad if name == "basis" or bad != 0.5 else -bad
        write_tensors(path, {**tensors, name: changed}, metadata)
        with pytest.raises(FileFormatError, match=r"ball\.safetensors is a damaged transform"):
            load_transform(path)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("fitted_on", "5"),
        ("fitted_on", '"he"'),
        ("remarks", '{"left_out": 5}'),
        ("lengths", '"long"'),
        ("unmoved", '[["he"]]'),
        ("curvature", "-1"),
        ("curvature", '"1"x'),
        ("settings", '{"strength": true}'),
        ("settings", '{"strength": 1, "strength": 0}'),
        ("geometry", '"poincare-x7"'),
        ("further", "1"),
        ("guarantees", "null"),
        ("method", "\ud800".encode("unicode_escape").decode().join('""')),
    ],
)
def test_a_field_of_another_type_is_named(field: str, value: str, tmp_path: Path) -> None:
    metadata, tensors = saved(PgdExact)
    write_tensors(tmp_path / "one.safetensors", tensors, {**metadata, field: value})
    with pytest.raises(FileFormatError, match=r"one\.safetensors is a damaged transform"):
        load_transform(tmp_path / "one.safetensors")


def test_arrays_that_the_move_does_not_know_are_refused(tmp_path: Path) -> None:
    metadata, tensors = saved(Projection)
    write_tensors(tmp_path / "one", {**tensors, "more": np.ones((1, 1))}, metadata)
    with pytest.raises(FileFormatError, match="is not made of"):
        load_transform(tmp_path / "one")


# --- Names that no disk can hold, wherever a file is looked for: fairvec's own errors, in short


NAMES = {
    "long": "a" * 5000,
    "long with an ending": "a" * 300 + ".toml",
    "long inside": "b/" * 3000 + "c",
    "long suite": "a" * 300 + "/x",
}
LOOKED_UP: dict[str, Callable[[str], Any]] = {
    "load": fairvec.load,
    "open_encoder": fairvec.open_encoder,
    "audit": lambda name: fairvec.audit("glove-en-small", suites=name),
    "select_tests": select_tests,
    "concept": concepts_concept,
    "benchmark": benchmark,
    "load_reviews": load_reviews,
    "read_results": fairvec.read_results,
    "read_study": lambda name: read_study(Path(name)),
    "corpus_files": lambda name: corpus_files([name]),
    "read_sources": lambda name: read_sources([Path(name)]),
}


@loop_over("name", NAMES.values())
@loop_over("looked_up", LOOKED_UP.values())
def test_what_cannot_be_there_is_not_there(looked_up: Callable[[str], Any], name: str) -> None:
    with pytest.raises(FairvecError) as refused:
        looked_up(name)
    assert len(str(refused.value)) < 1500


@pytest.mark.parametrize("name", [*NAMES.values(), "a\0b", "", "\ud800"], ids=range(7))
def test_an_impossible_name_is_not_there(name: str) -> None:
    assert (is_there(name), is_file(name), is_folder(name)) == (False, False, False)


def test_files_folders_and_links_are_distinguished(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    assert (is_there(file), is_file(file), is_folder(file)) == (True, True, False)
    assert (is_there(str(tmp_path)), is_file(tmp_path), is_folder(tmp_path)) == (True, False, True)


def test_a_study_names_its_suite_in_vain(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    (tmp_path / "some.txt").write_text("a b c\n")
    plan.write_text(
        'language = "en"\nwindows = [3, 5]\ndims = [4]\nseeds = [1, 2]\n'
        f'suites = ["{"a" * 5000}"]\n[corpora]\none = ["some.txt"]\n[models.glove]\n'
    )
    with pytest.raises(FairvecError, match="no suite named 'aaa") as refused:
        read_study(plan)
    assert len(str(refused.value)) < 1500
