"""A Results is a list that stays what it is, is chosen from, kept, and read in a terminal."""

import copy
import json
import operator
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

import fairvec
from fairvec import Results
from fairvec.core.errors import ExpressionError, FileFormatError, SettingError
from fairvec.results import CategoryAnswer, Skipped, read_results, to_row
from tests.api.runs import a_run_of_results, every_kind
from tests.results.make import measured, skipped

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
    kept = len(results.where("effect > 0")) + len(results.where("effect <= 0"))
    assert kept == sum(to_row(one)["effect"] is not None for one in results) < len(results)


def _effect(one: object) -> float:
    return float(getattr(one, "effect", 0.0))


@pytest.mark.parametrize("slip", ["efect > 1", "verdict == 'bias'", "count() > 1", "1 +", "", None])
def test_a_slip_in_where_is_said(slip: str) -> None:
    with pytest.raises(fairvec.FairvecError) as said:
        every_kind().where(slip)
    assert "\n" not in str(said.value)
    if slip is None:
        assert isinstance(said.value, ExpressionError)


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


def test_nothing_is_left_where_nothing_can_be_saved(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="no outcomes to report"):
        Results().save(tmp_path / "run")
    assert not (tmp_path / "run").exists()
    (tmp_path / "file").write_text("mine")
    with pytest.raises(SettingError, match="cannot be written to"):
        every_kind().save(tmp_path / "file")
    assert (tmp_path / "file").read_text() == "mine"
    with pytest.raises(FileFormatError, match=r"there is no results\.jsonl"):
        Results.read(tmp_path)


def test_records_of_an_earlier_schema_are_read_and_say_what_they_lack(tmp_path: Path) -> None:
    old = json.loads(Results([measured()]).to_jsonl()) | {"schema_version": 1}
    for added in ("described", "family_of"):
        del old[added]
    (tmp_path / "results.jsonl").write_text(json.dumps(old) + "\n")
    results = Results.read(tmp_path)
    assert results == read_results(tmp_path)
    assert "schema version 1: they lack" in repr(results)
    assert "schema version 1: they lack" in results._repr_html_()
    assert results.plot.forest().svg()
    assert results.rows()[0]["effect"] == 1.0


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
