"""The freeze names what moved, and is not moved by a version, a clock or a path."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scripts.golden_runs import reference
from scripts.golden_runs.arrays import told
from scripts.golden_runs.comparing import COMPUTED, EXACT, Nearness, compared
from scripts.golden_runs.inputs import INPUTS, write_inputs
from scripts.golden_runs.normal import normal
from scripts.golden_runs.table import RUNS
from scripts.golden_runs.walks import commands_of, example


def lines(*records: dict[str, Any]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def result(test: str, **more: Any) -> dict[str, Any]:
    return {"status": "measured", "test": {"id": test}, "model": {"name": "toy"}, **more}


def moved(name: str, old: str, new: str, nearness: Nearness = EXACT) -> list[str]:
    return [str(one) for one in compared(name, old, new, nearness).moved]


def test_a_moved_record_is_named_with_its_field_and_both_values() -> None:
    old = lines(result("a/1", effect=1.5, p={"value": 0.04}), result("a/2", effect=0.5))
    new = lines(result("a/1", effect=1.5, p={"value": 0.06}), result("a/2", effect=0.5))
    assert moved("results.jsonl", old, new) == ["measured | a/1 | toy: p.value: 0.04 -> 0.06"]
    assert moved("results.jsonl", old, old) == []
    assert compared("results.jsonl", old, old, EXACT).records == 2


def test_lost_new_and_reordered_records_and_fields_are_named() -> None:
    one, other = result("a/1", effect=1.5), result("a/2", effect=0.5)
    lost, new = moved("r.jsonl", lines(one, other), lines(one, result("a/3")))
    assert (lost, new) == (
        "measured | a/2 | toy: there -> not there",
        "measured | a/3 | toy: not there -> there",
    )
    (order,) = moved("r.jsonl", lines(one, other), lines(other, one))
    assert order.startswith("order of records")
    (order,) = moved("r.jsonl", lines({"a": 1, "b": 2}), lines({"b": 2, "a": 1}))
    assert "fields in another order" in order
    assert moved("r.jsonl", lines(one), lines(one | {"effect": None})) == [
        "measured | a/1 | toy: effect: 1.5 -> null"
    ]
    assert moved("r.jsonl", lines({"n": 1}), lines({"n": 1.0})) == ["the record: n: 1 -> 1.0"]
    assert moved("r.jsonl", '{"a":1}\n', '{"a": 1}\n')[0].startswith("the same values")


def test_a_last_digit_is_near_and_a_rounded_figure_is_not() -> None:
    old, new = lines({"effect": 1.1693247763954249}), lines({"effect": 1.1693247763954251})
    found = compared("r.jsonl", old, new, Nearness())
    assert (found.moved, found.nearly) == ([], 1)
    assert len(moved("r.jsonl", old, new)) == 1
    row, last = "a,1.1693247763954249\n", "a,1.1693247763954251\n"
    assert moved("table.csv", row, last, Nearness()) == []
    assert moved("table.csv", "d +1.17\n", "d +1.18\n", COMPUTED) == []
    assert len(moved("table.csv", "d +1.17\n", "d +1.18\n", Nearness())) == 1
    assert len(moved("table.csv", "d +1.17\n", "d +1.19\n", COMPUTED)) == 1
    assert len(moved("table.csv", "10000 words\n", "10001 words\n", COMPUTED)) == 1


def test_a_digest_may_differ_only_where_vectors_are_computed() -> None:
    old, new = lines({"sha256": "0" * 64}), lines({"sha256": "1" * 64})
    assert moved("r.jsonl", old, new, COMPUTED) == []
    assert len(moved("r.jsonl", old, new, Nearness())) == 1


def test_a_line_is_named_with_the_heading_above_it() -> None:
    page = "<h2>Answers</h2>\n<p>No evidence (d +0.10)</p>\n"
    assert moved("report.html", page, page.replace("0.10", "0.11")) == [
        "line 2 (Answers): '<p>No evidence (d +0.10)</p>' -> '<p>No evidence (d +0.11)</p>'"
    ]
    (more,) = moved("help.txt", "$ fairvec a\none\ntwo\n", "$ fairvec a\none\nnew\nand\ntwo\n")
    assert more == "line 3 (fairvec a): '' -> 'new\\nand'"
    assert len(moved("a.txt", "one\n", "one")) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            '{"versions":{"fairvec":"0.1.0","numpy":"2.4.6"}}',
            '"fairvec":"0.2.0","numpy":"2.5.0rc1"',
        ),
        ("fairvec 0.1.0, python 3.11.7", "fairvec 0.2.0, python 3.13.0"),
        ('{"seconds":0.05}', '"seconds":1.5'),
        ("loss 0.1, 0.6M pairs a second, 0 s left", "loss 0.1, 1.6M pairs a second, 13 min left"),
        ("x: weat-1: 22 % after 10 s\n", ""),
        ("x: weat-1: 22 % after 1 min 4 s, this step about 1 h 2 min more\n", ""),
        ("Report: /tmp/a1/folder/run", "Report: /home/b2/folder/run"),
    ],
    ids=["records", "page", "seconds", "speed", "progress", "progress of a step", "path"],
)
def test_versions_times_and_paths_do_not_count(one: str, other: str) -> None:
    first = normal(one, "0.1.0", {"/tmp/a1/folder": "folder", "/tmp/a1": "above"})
    second = normal(other, "0.2.0", {"/home/b2/folder": "folder"})
    assert second in first
    assert normal("d +1.17, p = 0.0300, 12 s", "0.1.0", {}) == "d +1.17, p = 0.0300, 12 s"


def test_a_renewed_reference_is_read_back_and_old_files_are_removed(tmp_path: Path) -> None:
    outputs = {"run/report.html": "ж" * 40_000, "01-audit.txt": "one\r\ntwo"}
    reference.write("toy", outputs, tmp_path)
    assert reference.read("toy", tmp_path) == outputs
    assert (tmp_path / "toy/run/report.html.xz").stat().st_size < 1000
    reference.write("toy", {"01-audit.txt": "one"}, tmp_path)
    assert reference.read("toy", tmp_path) == {"01-audit.txt": "one"}


def test_arrays_are_described_by_numbers_and_a_digest(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", vectors=np.arange(6.0).reshape(2, 3), keys=np.array(["a", "b"]))
    first, second = map(json.loads, told("a.npz", (tmp_path / "a.npz").read_bytes()).splitlines())
    assert (first["shape"], first["mean"], first["sampled"][-1]) == ([2, 3], 2.5, 5.0)
    assert (first["name"], len(first["sha256"])) == ("vectors", 64)
    assert (second["name"], len(second["sha256"])) == ("keys", 16)
    other = lines(second | {"sha256": "0" * 16})
    assert len(moved("a.npz.arrays.jsonl", lines(second), other, COMPUTED)) == 1


def test_commands_are_found_in_a_page_of_help() -> None:
    page = (
        "Options:\n  --help  Show.\n\n"
        "Measure:\n  audit    Ask,\n           too.\n  old-one  Say.\n\n"
        "Lists and data:\n  old new  Two words.\n\n  Exit 0.\n"
    )
    assert commands_of(page) == [["audit"], ["old-one"], ["old", "new"]]
    assert commands_of("Options:\n  --help  Show.\n") == []
    about = {"parameters": [{"name": "word", "example": "a b"}, {"name": "most"}]}
    assert example("/api/words", about) == ("/api/words?word=a+b", None)


def test_runs_have_names_of_their_own_and_inputs_that_are_written_alike(tmp_path: Path) -> None:
    assert len({run.name for run in RUNS}) == len(RUNS)
    assert {name for run in RUNS for name in run.inputs} == set(INPUTS)
    write_inputs(tuple(INPUTS), tmp_path)
    assert all((tmp_path / name).read_text(encoding="utf-8") == INPUTS[name]() for name in INPUTS)
    if reference.FOLDER.is_dir():  # not in an sdist
        references = {path.name for path in reference.FOLDER.iterdir()}
        assert references == {run.name for run in RUNS}
        for run in RUNS:  # a file that no command wrote would never be missed
            names = {name.removesuffix(".arrays.jsonl") for name in reference.read(run.name)}
            assert set(run.kept.split()) <= names, run.name
