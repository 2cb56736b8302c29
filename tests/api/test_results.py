"""The Results list: choosing, rows and frames, figures."""

import copy
import operator
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from copy import copy as copy_copy
from copy import deepcopy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

import fairvec
from fairvec import Concept, Embedding, FairvecError, Results, Test
from fairvec.api.results import COLUMN_TYPES, COUNT, NUMBER, TEXT, WORD_COLUMN_TYPES, RowList
from fairvec.cli.commands.compare import check
from fairvec.cli.options import make_command
from fairvec.core.errors import ExpressionError, FileFormatError, SettingError, UnknownNameError
from fairvec.report.pictures import Picture, forest_picture
from fairvec.results import Result, Skipped
from fairvec.results.records import CategoryAnswer
from fairvec.results.rows import COLUMNS, to_row
from tests import toys
from tests.api.toys import GENDER, TEST, a_run_of_results, every_kind, of
from tests.report.outcomes import with_similarities
from tests.results.toys import measured, skipped

# --- A Results is a list that stays what it is, is chosen from, kept, and read in a terminal ---


WAYS: dict[str, Callable[[Results], Results]] = {
    "pickle": lambda some: pickle.loads(pickle.dumps(some)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "own-copy": lambda some: some.copy(),
    "slice": lambda some: some[:],
    "sum": lambda some: some[:2] + some[2:],
    "sum-with-list": lambda some: some[:2] + list(some[2:]),
    "list-with-sum": lambda some: list(some[:2]) + some[2:],
    "all-that-has-a-test": lambda some: some.where("test != ''"),
}


@pytest.mark.parametrize("way", WAYS)
def test_it_stays_what_it_is(way: str) -> None:
    results = every_kind()
    again = WAYS[way](results)
    assert type(again) is Results
    assert again == results
    assert again == list(results)


def test_one_place_is_one_record_and_more_of_it_is_a_list() -> None:
    results = every_kind()
    assert results[-1] is list(results)[-1]
    assert results[::-2] == list(results)[::-2]
    with pytest.raises(TypeError):
        operator.add(results, (measured(),))
    results += [measured()]
    assert type(results) is Results


@pytest.mark.parametrize("wrong", [[1], ["weat"], measured(), [measured(), None], {"a": 1}])
def test_what_is_no_record_is_refused(wrong: object) -> None:
    with pytest.raises(SettingError, match="Results hold records of fairvec, and number"):
        Results(wrong)  # type: ignore[arg-type]


def test_where_is_the_language_of_conditions() -> None:
    results = every_kind()
    biased = results.where("verdict == 'biased' and effect < 0")
    assert biased == [
        one for one in results if to_row(one)["verdict"] == "biased" and _effect(one) < 0
    ]
    assert biased
    assert results.where("effect > 99") == Results()
    # A record without an effect meets neither a condition nor its opposite.
    selected = len(results.where("effect > 0")) + len(results.where("effect <= 0"))
    assert selected == sum(to_row(one)["effect"] is not None for one in results) < len(results)


def _effect(one: object) -> float:
    return float(getattr(one, "effect", 0.0))


@pytest.mark.parametrize("slip", ["efect > 1", "verdict == 'bias'", "count() > 1", "1 +", "", None])
def test_a_mistake_in_where_is_reported(slip: str) -> None:
    with pytest.raises(fairvec.FairvecError) as refused:
        every_kind().where(slip)
    assert "\n" not in str(refused.value)
    if slip is None:
        assert isinstance(refused.value, ExpressionError)


def test_categories_are_the_answers_alone() -> None:
    answers = a_run_of_results().categories()
    assert type(answers) is Results
    assert len(answers) == 8
    assert all(isinstance(one, CategoryAnswer) for one in answers)
    assert answers.categories() == answers


def test_what_is_saved_is_read_again(tmp_path: Path) -> None:
    results = every_kind()
    place = results.save(tmp_path / "new" / "run", title="Kept")
    assert sorted(file.name for file in place.iterdir()) == ["report.html", "results.jsonl"]
    assert Results.read(place) == Results.read(place / "results.jsonl") == results
    assert (place / "results.jsonl").read_text(encoding="utf-8") == results.to_jsonl()
    assert "<title>Kept</title>" in (place / "report.html").read_text(encoding="utf-8")
    assert "ठाकुर" in results.to_jsonl()


def test_a_failed_save_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="no outcomes to report"):
        Results().save(tmp_path / "run")
    assert not (tmp_path / "run").exists()
    (tmp_path / "file").write_text("mine")
    with pytest.raises(SettingError, match="cannot be written to"):
        every_kind().save(tmp_path / "file")
    assert (tmp_path / "file").read_text() == "mine"
    with pytest.raises(FileFormatError, match=r"there is no results\.jsonl"):
        Results.read(tmp_path)


def test_a_terminal_shows_a_few_lines() -> None:
    results = a_run_of_results()
    lines = repr(results).splitlines()
    assert lines[0].startswith("Results: 23 records (14 measured, 1 skipped, 8 pooled); glove-6b-")
    assert lines[1].startswith("glove-6b-100d, Gender: biased.")
    assert lines[-1] == "  ... and 3 records more"
    assert len(lines) == 1 + 8 + 12 + 1
    assert [line[2:] for line in lines[9:21]] == [str(one) for one in results[:12]]
    assert repr(Results()) == "Results: no records"
    many = Results([measured(test=f"toy/{at}") for at in range(5000)])
    assert len(repr(many).splitlines()) == 14
    assert "4,988 records more" in repr(many)


def test_no_name_breaks_the_lines_of_a_terminal() -> None:
    odd = Results([measured(model="a\nb\x1b[31m"), skipped(test="toy/\u2028two")])
    assert len(repr(odd).splitlines()) == 3
    assert "\x1b" not in repr(odd)
    assert any(isinstance(one, Skipped) for one in odd)


# --- Rows and frames: every record and every word, with types that know what is missing ---


PYTHON = {TEXT: str, NUMBER: float, COUNT: int}


def test_the_rows_are_those_of_the_shell_and_their_types_are_true() -> None:
    results = every_kind()
    rows = results.rows()
    assert rows == [to_row(one) for one in results]
    assert list(rows.columns) == list(COLUMNS) == list(COLUMN_TYPES)
    wrong = {
        (name, value)
        for row in rows
        for name, value in row.items()
        if value is not None and type(value) is not PYTHON[COLUMN_TYPES[name]]
    }
    assert wrong == set()
    # Otherwise the types above would say nothing of these columns.
    assert {name for name in COLUMN_TYPES if any(row[name] is not None for row in rows)} >= {
        name
        for name, kind in COLUMN_TYPES.items()
        if kind != TEXT and not name.startswith("difference")
    }


@pytest.mark.parametrize("model", ["glove-6b-100d", "glove-hi", "navec-news"])
def test_each_target_word_is_a_row(model: str) -> None:
    results = of(model)
    words = results.words()
    measured = [one for one in results if isinstance(one, Result)]
    assert len(words) == sum(len(one.words) for one in measured) > 0
    first = measured[0].words[0]
    assert words[0] == {
        "test": measured[0].test.id,
        "model": model,
        "metric": "weat",
        **first.model_dump(exclude={"transliteration", "gloss"}),
        "transliteration": first.transliteration or None,
        "gloss": first.gloss or None,
    }
    assert all(list(row) == list(WORD_COLUMN_TYPES) for row in words)


def test_hindi_words_keep_their_letters() -> None:
    assert {"ठाकुर", "ब्राह्मण"} <= {row["word"] for row in of("glove-hi").words()}


def stub() -> Any:
    """Two names of pandas, which remember what they were given."""
    return SimpleNamespace(
        array=lambda values, dtype: (dtype, values), DataFrame=lambda columns: columns
    )


def test_a_frame_has_types_with_missing_values(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", stub())
    results = every_kind()
    frame = results.to_frame()
    assert list(frame) == list(COLUMNS)
    assert frame["effect"] == ("Float64", [to_row(one)["effect"] for one in results])
    assert frame["family"][0] == "Int64"
    assert frame["test"] == ("string", [one.test.id for one in results])
    assert Results().to_frame()["p_holm"] == ("Float64", [])
    assert results.words().to_frame()["without"][0] == "Float64"


def test_without_pandas_one_sentence_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    for call in (every_kind().to_frame, every_kind().words().to_frame, Results().to_frame):
        with pytest.raises(SettingError, match="'pip install pandas'"):
            call()
    assert every_kind().words()


def test_a_real_frame_has_na_and_no_nan() -> None:
    pandas = pytest.importorskip("pandas")
    results = every_kind()
    frame = results.to_frame()
    assert len(frame) == len(results)
    assert {name: str(kind) for name, kind in frame.dtypes.items()} == COLUMN_TYPES
    skipped = frame[frame["status"] == "skipped"].iloc[0]
    assert skipped["effect"] is pandas.NA
    assert skipped["verdict"] is pandas.NA
    assert frame["family"].dropna().astype(int).min() >= 1
    for name in COLUMNS:
        values = [None if value is pandas.NA else value for value in frame[name]]
        assert values == [to_row(one)[name] for one in results]
    empty = Results().to_frame()
    assert (len(empty), list(empty.columns)) == (0, list(COLUMNS))
    assert str(results.words().to_frame()["to_a"].dtype) == "Float64"


def test_a_count_beyond_sixty_four_bits_is_a_number() -> None:
    pytest.importorskip("pandas")
    rows = RowList([{"n": 10**290, "m": 3}, {"n": None, "m": None}], {"n": COUNT, "m": COUNT})
    frame = rows.to_frame()
    assert [str(kind) for kind in frame.dtypes] == [NUMBER, COUNT]
    assert frame["n"][0] == 1e290
    assert frame["n"].isna().tolist() == [False, True]


# --- The figures of results: which record is meant, and what is said where none or several are


def test_each_figure_is_a_picture() -> None:
    results = of("glove-6b-100d")
    assert results.plot.forest() == forest_picture(results)
    assert isinstance(results.plot.categories(), Picture)
    assert isinstance(results.plot.strip(test="caliskan2017/weat-6"), Picture)
    assert results.plot.strip("weat-6") == results.plot.strip(test="caliskan2017/weat-6")
    assert "similarity of each word" in Results([with_similarities()]).plot.heat().title


def test_records_of_all_kinds_may_be_in_one_list() -> None:
    assert every_kind().plot.forest().svg().count("<circle") == 14
    assert every_kind().categories().plot.categories().svg().count("<polygon") == 8


def test_one_record_is_meant_or_the_choice_is_named() -> None:
    results = a_run_of_results()
    with pytest.raises(SettingError, match=r"3 records are meant \(caliskan2017/weat-6 on glove"):
        results.plot.strip("weat-6")
    picture = results.plot.strip("weat-6", model="poincare-glove")
    assert picture.title.endswith("in poincare-glove")
    assert results.where("model == 'poincare-glove'").plot.strip("weat-6") == picture
    with pytest.raises(UnknownNameError, match="'poincare-glov'; did you mean poincare-glove"):
        results.plot.strip("weat-6", model="poincare-glov")
    with pytest.raises(UnknownNameError, match="'seat'"):
        results.plot.strip("weat-6", metric="seat")
    (one,) = results.where("model == 'poincare-glove' and test == 'caliskan2017/weat-6'")
    others = [
        one.model_copy(update={"metric": "seat"}),
        *results.where("model != 'poincare-glove'"),
    ]
    with pytest.raises(SettingError, match="was not measured in poincare-glove by weat, but as "):
        Results(others).plot.strip("weat-6", model="poincare-glove", metric="weat")
    with pytest.raises(UnknownNameError, match="did you mean caliskan2017/weat-6"):
        results.plot.strip(test="caliskan2017/weat-66")


def test_what_cannot_be_drawn_raises_with_a_reason() -> None:
    with pytest.raises(SettingError, match="test is a int; name it by text"):
        every_kind().plot.strip(6)  # type: ignore[arg-type]
    with pytest.raises(SettingError, match=r"toy/two was skipped, .*: Only 1 of 4 x were found\."):
        Results([skipped()]).plot.strip("two")
    for some in (Results(), Results([skipped()])):
        for draw in (some.plot.forest, some.plot.categories, some.plot.strip, some.plot.heat):
            with pytest.raises(FairvecError, match="no measured test among these results"):
                draw()


def test_a_list_of_results_loads_no_page_until_it_is_displayed() -> None:
    program = (
        "import sys, fairvec\nr = fairvec.Results()\nrepr(r), r.plot, r.check('effect > 1')\n"
        "print(sorted({'jinja2', 'pandas', 'numpy', 'fairvec.report'} & set(sys.modules)))"
    )
    output = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert output.stdout.strip() == "[]"


# --- A gate in Python decides as the one of the shell does, and raises nothing ---


CONDITIONS = {
    "met": "verdict == 'biased' and abs(effect) > 1.5",
    "not-met": "effect > 99",
    "skipped": "status == 'skipped'",
    "change": "change == 'removed'",
    "over-rows-met": "count(verdict == 'biased') > 3",
    "over-rows-not-met": "mean(abs(effect), where=category == 'gender') > 1.9",
    "over-nothing": "max(effect, where=category == 'weather') > 1",
    "undecided": "detectable > 1 and p_paired > 0.9",
    "slip": "verdit == 'biased'",
    "slip-of-value": "verdict == 'baised'",
    "unreadable": "effect >",
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_it_ends_as_the_shell_does(name: str, tmp_path: Path) -> None:
    condition, results = CONDITIONS[name], every_kind()
    results.save(tmp_path)
    shell = CliRunner().invoke(
        make_command("check", check), [str(tmp_path), "--fail-if", condition]
    )
    answer = results.check(condition)
    if answer.problem:  # the shell's last door turns such an error into its code 2
        assert str(shell.exception).replace("\n", " ") == answer.problem
        assert answer.exit_code == 2
    else:
        assert answer.exit_code == shell.exit_code
        assert answer.headline in shell.output.replace("\n", " ")
    assert bool(answer) is (answer.exit_code == 0)


def test_the_offending_records_are_results() -> None:
    results = every_kind()
    answer = results.check(CONDITIONS["met"])
    assert not answer
    assert type(answer.offending) is Results
    assert answer.offending == results.where(CONDITIONS["met"])
    assert repr(answer).splitlines()[1:3] == [f"  {one}" for one in answer.offending[:2]]
    assert results.check("effect > 99").offending == Results()


def test_a_gate_over_rows_reports_its_figures() -> None:
    answer = every_kind().check(CONDITIONS["over-rows-met"])
    assert not answer
    assert answer.offending == Results()
    assert answer.figures[0].startswith("count(verdict == 'biased') = ")
    assert repr(answer).startswith("Not passed. Met over all ")


@pytest.mark.parametrize("results", [Results(), Results([skipped()])], ids=["empty", "skipped"])
def test_a_run_without_measurements_does_not_pass(results: Results) -> None:
    answer = results.check("effect > 99")
    assert not answer
    assert answer.exit_code == 2
    assert answer.problem.startswith("No test was measured, so there is nothing to check;")


@pytest.mark.parametrize("wrong", [None, 3, ["effect > 1"]], ids=["none", "number", "list"])
def test_what_is_no_text_is_no_condition(wrong: object) -> None:
    answer = Results([measured()]).check(wrong)  # type: ignore[arg-type]
    assert not answer
    assert answer.problem.startswith("A condition is text, and this is a ")


# --- What a call gives can be sent to another process, kept by pickle, and copied ---


COPIES: list[Callable[[Any], Any]] = [
    copy_copy,
    deepcopy,
    lambda one: pickle.loads(pickle.dumps(one)),
]
every_copy = pytest.mark.parametrize("copied", COPIES, ids=["copy", "deepcopy", "pickle"])


def model_after_look_ups() -> Embedding:
    """A model that has been looked up in, by the rules of each language."""
    model = toys.embedding(0.5)
    for language in ("en", "hi", "ru"):
        model.lookup(language)
    return model


@every_copy
def test_a_model_after_look_ups_can_be_copied(copied: Callable[[Any], Any]) -> None:
    model = model_after_look_ups()
    other = copied(model)
    assert other.content_hash == model.content_hash
    assert not other.vectors.flags.writeable
    assert fairvec.audit(other, tests=TEST) == fairvec.audit(model, tests=TEST)


def test_a_changed_model_still_shares_the_look_ups() -> None:
    model = model_after_look_ups()
    assert model.with_name("other").lookups is model.lookups
    assert model.with_languages("en").lookups is model.lookups


@every_copy
def test_what_calls_give_can_be_copied(copied: Callable[[Any], Any]) -> None:
    model = model_after_look_ups()
    done = fairvec.debias(model, GENDER, "linear-projection", tests=TEST, benchmarks=[])
    found = fairvec.audit(model, tests=TEST)
    equal: list[Any] = [
        found,
        found[0],
        done.results,
        TEST,
        GENDER,
        found.check("p < 0.5"),
        found.words(),
    ]
    equal += [fairvec.compare(found, done.results), found.plot.forest()]
    for one in equal:
        assert copied(one) == one
        assert type(copied(one)) is type(one)
    again = copied(done)
    assert again.model.content_hash == done.model.content_hash
    assert copied(done.transform).transform(model).content_hash == done.model.content_hash


@every_copy
@pytest.mark.parametrize(
    "slip",
    [
        lambda: fairvec.load("glove-en-smal"),
        lambda: toys.embedding()["doctr"],
        lambda: Test(x=["a"]),
        lambda: Concept(),
        lambda: fairvec.read_results("none"),
    ],
    ids=["name", "key", "test", "concept", "file"],
)
def test_an_error_survives_pickling_from_another_process(
    copied: Callable[[Any], Any], slip: Callable[[], Any]
) -> None:
    with pytest.raises(FairvecError) as caught:
        slip()
    error = caught.value
    assert (type(copied(error)), str(copied(error))) == (type(error), str(error))


def test_eight_threads_find_what_one_finds() -> None:
    model = toys.embedding(0.5)

    def found(seed: int) -> list[Any]:
        return [*fairvec.audit(model, tests=TEST, seed=seed, method="sampled", samples=200)]

    with ThreadPoolExecutor(8) as pool:
        assert [*pool.map(found, range(16))] == [found(seed) for seed in range(16)]
