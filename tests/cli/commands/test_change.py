"""fairvec debias and frontier change a model, say what it costs and overwrite nothing unasked."""

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairvec
from fairvec.embedding import Embedding, load, save
from fairvec.embedding.embedding import Step
from fairvec.experiments.comparison.before_after import ModelMeasurements, measure_model
from fairvec.mitigation import load_transform
from fairvec.results import Result, read_results
from fairvec.results.frontier import FrontierPoint, read_frontier
from fairvec.results.records import Change, ConceptView
from tests.cli.conftest import Shell
from tests.experiments.toys import count_work
from tests.report.helpers import Page

# --- debias ---


HINDI = ["glove-hi-small", "--concept", "hi/gender", "--suite", "malik2022/gender-adjectives"]


def measured(run: Path) -> list[Result]:
    return [outcome for outcome in read_results(run) if isinstance(outcome, Result)]


def test_model_transform_results_and_report_are_left(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "fair.fairvec"
    answer = shell("debias", *HINDI, "-o", file)
    assert answer.code == 0
    assert "malik2022/gender-adjectives" in answer.out
    assert "Fitted on " in answer.err
    run = tmp_path / "fair.fairvec.run"
    left = sorted(path.name for path in run.iterdir())
    assert left == ["report.html", "results.jsonl", "transform.safetensors"]
    before, after = measured(run)
    assert (before.model.name, after.model.history[-1]["action"]) == ("glove-hi-small", "debias")


@pytest.mark.parametrize(
    ("concept", "method"), [("en/gender", "hard"), ("en/race", "multiclass-hard")]
)
def test_where_no_method_is_named_every_door_takes_the_same_and_says_so(
    shell: Shell, tmp_path: Path, concept: str, method: str
) -> None:
    file, suite = tmp_path / "fair.fairvec", "caliskan2017/weat-6"
    answer = shell("debias", "glove-en-small", "--concept", concept, "-s", suite, "-o", file)
    assert answer.code == 0, answer.err
    done = fairvec.debias("glove-en-small", concept, suites=suite, benchmarks=[])
    assert done.transform.method == method
    assert fairvec.load(file).content_hash == done.model.content_hash
    assert (
        done.remarks[0]
        == f"Method: {method}, the default for word vectors, because none was named."
    )
    assert done.remarks[0] in " ".join(answer.err.split())
    named = fairvec.debias("glove-en-small", concept, method, suites=suite, benchmarks=[])
    assert named.model.content_hash == done.model.content_hash
    assert not any(remark.startswith("Method:") for remark in named.remarks)


def test_a_page_that_cannot_be_made_costs_no_model(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> str:
        raise RuntimeError("no page")

    monkeypatch.setattr("fairvec.api.change.render", broken)
    answer = shell("debias", *HINDI, "-o", tmp_path / "fair.fairvec")
    assert answer.code == 3
    assert "no page" in answer.err
    left = sorted(path.name for path in (tmp_path / "fair.fairvec.run").iterdir())
    assert left == ["results.jsonl", "transform.safetensors"]
    assert len(measured(tmp_path / "fair.fairvec.run")) == 2
    assert fairvec.load(tmp_path / "fair.fairvec").history[-2].action == "debias"


def test_the_steadiness_of_the_direction_is_printed_and_reported(
    shell: Shell, tmp_path: Path
) -> None:
    answer = shell("debias", *HINDI, "--method", "hard", "-o", tmp_path / "fair.fairvec")
    assert answer.err.count("\nSteadiness: ") == 1
    assert "hi/gender:definitional: the first component holds" in answer.err.replace("\n", " ")
    page = (tmp_path / "fair.fairvec.run" / "report.html").read_text(encoding="utf-8")
    assert "Stability of the direction: hi/gender:" in page
    transform = load_transform(tmp_path / "fair.fairvec.run" / "transform.safetensors")
    assert "left out the |cosine|" in transform.remarks["steadiness"][0]


def test_the_file_is_what_the_transform_makes_of_the_model(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "fair.vec"
    assert shell("debias", *HINDI, "--method", "hard", "-o", file).code == 0
    transform = load_transform(tmp_path / "fair.vec.run" / "transform.safetensors")
    expected = transform.transform(fairvec.load("glove-hi-small"))
    written = fairvec.load(file)
    assert list(written.keys) == list(expected.keys)
    np.testing.assert_array_equal(written.vectors, expected.vectors)


def test_the_command_compares_once_and_pools_each_run_once(shell: Shell, tmp_path: Path) -> None:
    tests = ["-s", "caliskan2017/weat-6", "-s", "kumar2020/b1", "-s", "caliskan2017/weat-4"]
    with count_work() as counts:
        answer = shell(
            "debias",
            "glove-en-small",
            "--concept",
            "en/gender",
            *tests,
            "-o",
            tmp_path / "a.fairvec",
        )
    assert (answer.code, answer.err.count("Report:")) == (0, 1)
    assert counts == {"compared": 1, "pooled": 4}  # two categories before, and two after


def test_what_a_format_does_not_keep_is_named(shell: Shell, tmp_path: Path) -> None:
    assert (
        "This format does not keep: history"
        in shell("debias", *HINDI, "-o", tmp_path / "fair.vec").err
    )


def test_strength_and_settings_reach_the_method(shell: Shell, tmp_path: Path) -> None:
    options = ["--strength", "0.5", "--set", "lengths=kept", "--set", "raw=true"]
    named = ["--method", "linear-projection", "-o", tmp_path / "half.fairvec"]
    assert shell("debias", *HINDI, *options, *named).code == 0
    settings = fairvec.load(tmp_path / "half.fairvec").history[-2].details
    assert (settings["strength"], settings["lengths"], settings["raw"]) == (0.5, "kept", True)


def test_words_that_the_method_saw_are_named(shell: Shell, tmp_path: Path) -> None:
    options = ["--concept", "en/gender", "-s", "caliskan2017/weat-7", "-o", tmp_path / "a.fairvec"]
    answer = shell("debias", "glove-en-small", *options)
    assert "(fitted on " in answer.out
    before, after = measured(tmp_path / "a.fairvec.run")
    assert before.fitted_words == ()
    assert {"man", "woman"} <= set(after.fitted_words)
    page = (tmp_path / "a.fairvec.run" / "report.html").read_text(encoding="utf-8")
    assert "no independent evidence about them" in page


def test_held_out_words_are_not_fitted_on(shell: Shell, tmp_path: Path) -> None:
    options = ["--concept", "en/gender", "-s", "caliskan2017/weat-7", "--holdout"]
    options += ["--method", "linear-projection"]
    answer = shell("debias", "glove-en-small", *options, "-o", tmp_path / "a.fairvec")
    assert answer.code == 0
    assert "(fitted on " not in answer.out
    assert "Fitted on 8 words: father, mother" in answer.err
    _, after = measured(tmp_path / "a.fairvec.run")
    assert after.fitted_words == ()


def test_words_that_cannot_all_be_held_out_are_named(shell: Shell, tmp_path: Path) -> None:
    options = ["--concept", "ru/gender:pairs", "--holdout", "-o", tmp_path / "a.fairvec"]
    answer = shell("debias", "navec-ru-small", *options)
    assert answer.code == 2
    assert "are among those to be held out" in answer.err


def test_a_note_names_words_that_lean_alike(shell: Shell, tmp_path: Path) -> None:
    options = ["--concept", "ru/gender", "--method", "hard", "-o", tmp_path / "a.fairvec"]
    answer = shell("debias", "navec-ru-small", *options)
    assert answer.code == 0
    assert "→ alike" in answer.out


def test_nothing_is_written_over_without_force(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "precious.fairvec"
    file.write_text("precious")
    answer = shell("debias", *HINDI, "-o", file)
    assert answer.code == 2
    assert file.read_text() == "precious"
    assert shell("debias", *HINDI, "-o", file, "--force").code == 0
    assert fairvec.load(file).name.startswith("glove-hi-small")


@pytest.mark.parametrize(
    ("folder", "file", "message"),
    [("x.fairvec", "other", "x.fairvec is a folder"), ("other", "x.fairvec.run", "run is a file")],
)
def test_a_folder_is_no_file_even_by_force(
    shell: Shell, tmp_path: Path, folder: str, file: str, message: str
) -> None:
    (tmp_path / folder).mkdir()
    (tmp_path / file).write_text("precious")
    answer = shell("debias", *HINDI, "--force", "-o", tmp_path / "x.fairvec")
    assert (answer.code, message in answer.err) == (2, True)
    assert {path.name for path in tmp_path.rglob("*")} == {folder, file}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--concept", "hi/gendr", "-o", "x.fairvec"], "did you mean hi/gender"),
        (["--concept", "hi/gender", "--method", "hrd", "-o", "x.fairvec"], "hard"),
        (["--concept", "hi/gender", "--strength", "2", "-o", "x.fairvec"], "between 0 and 1"),
        (["--concept", "hi/gender", "--set", "lengths", "-o", "x.fairvec"], "NAME=VALUE"),
        (["--concept", "hi/gender", "--set", "length=kept", "-o", "x.fairvec"], "no setting"),
        (["--concept", "hi/gender", "--set", "k=perhaps", "-o", "x.fairvec"], "k is 'perhaps'"),
        (["--concept", "hi/gender", "--set", "strength=2", "-o", "x.fairvec"], "between 0 and 1"),
        (["--concept", "hi/gender", "-o", "x.kv"], "choose .fairvec"),
        (["--concept", "ru/gender", "-o", "x.fairvec"], "ru/gender"),
    ],
)
def test_bad_input_is_one_sentence_and_leaves_nothing(
    shell: Shell,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = shell("debias", "glove-hi-small", *options)
    assert answer.code == 2
    assert message in answer.err
    assert len(answer.err.strip().splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_the_change_is_judged_in_one_table(shell: Shell, tmp_path: Path) -> None:
    options = ["--concept", "en/gender", "-s", "caliskan2017/weat-7", "-o", tmp_path / "a.fairvec"]
    answer = shell("debias", "glove-en-small", *options, "--method", "linear-projection")
    assert answer.code == 0
    category, blank, *lines = (" ".join(line.split()) for line in answer.out.splitlines())
    assert category.startswith("Gender: no change shown, d +1.28 → +1.36 (change +0.08, 95 % ")
    assert blank == ""
    assert lines[:3] == [
        "glove-en-small → glove-en-small, linear-projection en/gender:pairs",
        "test before → after change p of change",
        "Bias",
    ]
    changes = [one for one in read_results(tmp_path / "a.fairvec.run") if isinstance(one, Change)]
    assert [change.test.kind for change in changes] == ["bias", "category"]
    assert changes[0].paired is not None
    assert lines[3].endswith(f" no change shown {changes[0].paired.value:.2f}")
    assert any(line.startswith("How far a word moved") for line in lines)
    lost = "Share of the 10 nearest words lost, among the 10,799 words of this cut"
    assert any(line.startswith(lost) for line in lines)
    assert "; words turned by " in answer.err
    page = (tmp_path / "a.fairvec.run" / "report.html").read_text(encoding="utf-8")
    assert "<h2>Before and after</h2>" in page
    assert category in " ".join(Page(page).text.split())  # the page says what the terminal says
    (view,) = (
        one for one in read_results(tmp_path / "a.fairvec.run") if isinstance(one, ConceptView)
    )
    assert (view.model, view.after) == (changes[0].before, changes[0].model)
    assert "<h2>The concept in this model</h2>" in page


def test_a_named_benchmark_is_part_of_the_judgement(
    shell: Shell, tmp_path: Path, shared_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRVEC_DATA", str(shared_data))
    options = ["--concept", "en/gender", "-s", "caliskan2017/weat-7", "--benchmark", "ws353"]
    file = tmp_path / "a.fairvec"
    answer = shell("debias", "glove-en-small", *options, "--benchmark", "rg65", "-o", file)
    assert answer.code == 0
    assert "Word similarity" in answer.out
    suites_of_run = {one.test.suite for one in read_results(tmp_path / "a.fairvec.run")}
    assert {"ws353", "rg65"} <= suites_of_run
    assert "simlex999" not in suites_of_run


def test_an_unknown_benchmark_is_named(shell: Shell, tmp_path: Path) -> None:
    answer = shell("debias", *HINDI, "--benchmark", "ws35", "-o", tmp_path / "x.fairvec")
    assert answer.code == 2
    assert "ws353" in answer.err
    assert list(tmp_path.iterdir()) == []


def test_learnt_specific_words_are_written_out(shell: Shell, tmp_path: Path) -> None:
    options = ["--concept", "en/gender", "-s", "caliskan2017/weat-7", "--method", "hard"]
    file = tmp_path / "a.fairvec"
    answer = shell("debias", "glove-en-small", *options, "--set", "specific=svm", "-o", file)
    assert answer.code == 0
    assert "Learnt words: see specific.txt" in answer.err
    run = tmp_path / "a.fairvec.run"
    learnt = (run / "specific.txt").read_text(encoding="utf-8").splitlines()
    assert tuple(learnt) == tuple(
        load_transform(run / "transform.safetensors").remarks["learnt_words"]
    )
    assert len(learnt) > 10
    assert shell("debias", "glove-en-small", *options, "--force", "-o", file).code == 0
    assert not (run / "specific.txt").exists()


def test_the_solver_of_pgd_is_chosen(
    shell: Shell, tmp_path: Path, shared_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRVEC_DATA", str(shared_data))
    model = ["poincare-glove-en-small", "--concept", "en/gender", "-s", "kumar2020/b1"]
    answer = shell(
        "debias", *model, "--method", "pgd", "--solver", "riemannian-adam", "--benchmark", "mc30",
        "-o", tmp_path / "a.fairvec",
    )  # fmt: skip
    assert answer.code == 0
    written = fairvec.load(tmp_path / "a.fairvec")
    assert written.geometry == fairvec.load("poincare-glove-en-small").geometry
    assert written.history[-2].details["solver"] == "riemannian-adam"
    answer = shell(
        "debias", *model, "--method", "hard", "--solver", "exact", "-o", tmp_path / "b.fairvec"
    )
    assert (answer.code, (tmp_path / "b.fairvec").exists()) == (2, False)
    assert "no setting of hard named 'solver'" in answer.err


def test_within_little_memory_the_file_is_the_same(shell: Shell, tmp_path: Path) -> None:
    whole, little = tmp_path / "whole.fairvec", tmp_path / "little.fairvec"
    assert shell("debias", *HINDI, "--method", "hard", "-o", whole).code == 0
    answer = shell("debias", *HINDI, "--method", "hard", "--max-memory", "200MB", "-o", little)
    assert answer.code == 0
    expected, written = fairvec.load(whole), fairvec.load(little)
    np.testing.assert_array_equal(written.vectors, expected.vectors)
    assert written.keys == expected.keys
    results = [read_results(f"{path}.run") for path in (whole, little)]
    tests = [[one for one in run if isinstance(one, Result)] for run in results]
    assert [one.effect for one in tests[0]] == [one.effect for one in tests[1]]


@pytest.mark.parametrize(
    ("size", "message"), [("1MB", "are allowed"), ("much", "is no size of memory")]
)
def test_too_little_memory_is_refused_and_nothing_is_written(
    shell: Shell, tmp_path: Path, size: str, message: str
) -> None:
    answer = shell("debias", *HINDI, "--max-memory", size, "-o", tmp_path / "a.fairvec")
    assert (answer.code, list(tmp_path.iterdir())) == (2, [])
    assert message in answer.err


# --- frontier ---


FEW = ["glove-hi-small", "--concept", "hi/gender", "-s", "malik2022/gender-adjectives"]
ONE = ["--method", "linear-projection", "--strengths", "0.5,1"]


def test_points_table_and_report_are_left(shell: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    suites = ["-s", "malik2022"]
    answer = shell("frontier", *FEW[:3], *suites, *ONE, "-o", folder)
    assert answer.code == 0, answer.err
    assert "linear-projection at 0.5" in answer.out
    assert "No bias test of the concept is significant" in answer.out
    assert "chosen without it" in answer.out
    points = [line for line in read_frontier(folder) if isinstance(line, FrontierPoint)]
    assert [one.strength for one in points] == [0.0, 0.5, 1.0]
    page = (folder / "report.html").read_text(encoding="utf-8")
    (folder / "report.html").unlink()
    again = shell("frontier", *FEW[:3], *suites, *ONE, "-o", folder)
    assert (again.code, again.out) == (0, answer.out)
    assert shell("report", folder).code == 0
    assert (folder / "report.html").read_text(encoding="utf-8") == page


def test_another_model_stands_beside(shell: Shell, tmp_path: Path) -> None:
    changed = tmp_path / "a=b.fairvec"
    model = load("glove-hi-small")
    rows = [row for row, key in enumerate(model.keys) if key != "गणित"]
    vectors, keys = np.array(model.vectors)[rows, ::-1], [model.keys[row] for row in rows]
    trained = Embedding(keys, vectors, model.geometry, "trained", (Step("trained"),))
    save(trained, changed)
    given = [*FEW[:3], "-s", "malik2022", *ONE, "-o", tmp_path / "run"]
    answer = shell("frontier", *given, "--beside", f"{changed}=mine")
    assert answer.code == 0, answer.err
    assert "mine (another model)" in answer.out
    assert "mine (another model): It found other words in malik2022/maths-arts" in answer.err
    *_, point = (
        line for line in read_frontier(tmp_path / "run") if isinstance(line, FrontierPoint)
    )
    assert (point.method, point.other is not None) == ("mine", True)
    twice = shell("frontier", *given, "--beside", f"{changed}=mine", "--beside", f"{changed}=mine")
    assert (twice.code, "Two models beside are called 'mine'" in twice.err) == (2, True)


def test_the_frontier_of_another_model_is_not_written_over(shell: Shell, tmp_path: Path) -> None:
    one = ["--method", "linear-projection", "--strengths", "1", "-s", "malik2022", "-o", tmp_path]
    assert shell("frontier", *FEW[:3], *one).code == 0
    content = (tmp_path / "frontier.jsonl").read_bytes()
    answer = shell("frontier", "glove-en-small", "--concept", "en/gender:apart", *one)
    assert answer.code == 2
    assert "holds the frontier of glove-hi-small; choose another folder" in answer.err
    assert (tmp_path / "frontier.jsonl").read_bytes() == content


def test_a_folder_of_something_else_is_left_alone(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").write_text("mine", encoding="utf-8")
    answer = shell("frontier", *FEW, *ONE, "-o", tmp_path)
    assert (answer.code, "holds something else" in answer.err) == (2, True)


def test_strengths_that_are_no_numbers_are_refused(shell: Shell, tmp_path: Path) -> None:
    answer = shell("frontier", *FEW, "--strengths", "0.5;1", "-o", tmp_path)
    assert (answer.code, "with commas between" in answer.err) == (2, True)


@pytest.mark.parametrize(
    ("whole", "message"), [(0, "before a point was found"), (1, "1 point is kept")]
)
def test_an_interruption_names_what_is_stored(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: int, message: str
) -> None:
    points = itertools.count()

    def interrupted(*given: Any, **named: Any) -> ModelMeasurements:
        if next(points) == whole:
            raise KeyboardInterrupt
        return measure_model(*given, **named)

    with monkeypatch.context() as patch:
        patch.setattr("fairvec.experiments.frontier.frontier.measure_model", interrupted)
        answer = shell("frontier", *FEW[:3], "-s", "malik2022", *ONE, "-o", tmp_path / "run")
    assert (answer.code, answer.out) == (130, "")
    assert message in answer.err
    assert "the same command" in answer.err
    assert len([*(tmp_path / "run" / "points").glob("*.json")]) == whole
    assert shell("frontier", *FEW[:3], "-s", "malik2022", *ONE, "-o", tmp_path / "run").code == 0


def test_a_frontier_that_is_refused_before_any_work_leaves_nothing(
    shell: Shell, tmp_path: Path
) -> None:
    arguments = ["glove-en-small", "--concept", "hi/gender", "-s", "malik2022"]
    answer = shell("frontier", *arguments, *ONE, "-o", tmp_path / "new" / "run")
    assert (answer.code, "measures bias left" in answer.err) == (2, True)
    assert not [*tmp_path.iterdir()]
