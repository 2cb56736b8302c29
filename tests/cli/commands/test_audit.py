"""fairvec audit chooses tests, measures models, writes what it found and ends as documented."""

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairvec
from fairvec.languages.words import Word
from fairvec.lexicon import Test, select_tests
from fairvec.results import Result, read_results
from fairvec.results.rows import COLUMNS
from tests.cli.conftest import Answer, Shell, write_model

# --- audit ---


def test_an_audit_prints_a_verdict(shell: Shell, model_file: Path, suite_file: Path) -> None:
    answer = shell("audit", model_file, "--suite", suite_file)
    assert answer.code == 0
    assert "Biased" in answer.out
    assert "0.0079" in answer.out


def test_results_and_report_are_left_behind(
    shell: Shell, model_file: Path, suite_file: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    answer = shell("audit", model_file, "-s", suite_file, "-o", run)
    assert answer.code == 0
    assert sorted(path.name for path in run.iterdir()) == ["report.html", "results.jsonl"]
    assert "report.html" in answer.err
    result, answer_of_category = read_results(run)
    assert result.test.id == "toy/one"
    assert answer_of_category.test.id == "category/gender"


def test_a_fault_in_one_test_is_printed_and_the_rest_is_written(
    shell: Shell,
    model_file: Path,
    suite_file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("fairvec.experiments.audit.run.require_coverage", fail)
    answer = shell("audit", model_file, "-s", suite_file, "-o", tmp_path / "run")
    assert answer.code == 3
    assert "toy/one: This is a fault of fairvec" in answer.err
    assert [one.status for one in read_results(tmp_path / "run")] == ["skipped"]


def test_json_is_the_schema_of_results_jsonl(
    shell: Shell, model_file: Path, suite_file: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    answer = shell("audit", model_file, "-s", suite_file, "--json", "-o", run)
    assert answer.out == (run / "results.jsonl").read_text(encoding="utf-8")
    statuses = [json.loads(line)["status"] for line in answer.out.splitlines()]
    assert statuses == ["measured", "pooled"]


def test_csv_has_every_column(shell: Shell, model_file: Path, suite_file: Path) -> None:
    answer = shell("audit", model_file, "-s", suite_file, "--csv")
    row, pooled = csv.DictReader(io.StringIO(answer.out))
    assert list(row) == list(COLUMNS)
    assert float(row["effect"]) > 1.5
    assert (pooled["status"], pooled["effect"]) == ("pooled", row["effect"])
    assert (row["coverage"], pooled["coverage"]) == ("1.0", "")


def test_latex_is_a_table(shell: Shell, model_file: Path, suite_file: Path) -> None:
    assert r"\toprule" in shell("audit", model_file, "-s", suite_file, "--latex").out


def test_several_models_give_one_comparison(
    shell: Shell, model_file: Path, suite_file: Path, tmp_path: Path
) -> None:
    other = write_model(tmp_path / "fair.vec", bias=0.0)
    answer = shell("audit", model_file, other, "-s", suite_file, "--json")
    lines = [json.loads(line) for line in answer.out.splitlines()]
    assert [line["model"]["name"] for line in lines] == ["biased", "fair"] * 2
    assert [line["verdict"]["kind"] for line in lines] == ["biased", "no-evidence"] * 2


def test_models_of_one_name_can_be_distinguished(
    shell: Shell, model_file: Path, suite_file: Path
) -> None:
    answer = shell("audit", model_file, model_file, "-s", suite_file, "--json")
    names = [json.loads(line)["model"]["name"] for line in answer.out.splitlines()]
    assert names == ["biased (1)", "biased (2)"] * 2


def test_settings_reach_the_result(shell: Shell, model_file: Path, suite_file: Path) -> None:
    options = ["--similarity", "negative-distance", "--convention", "population", "--sides"]
    options += ["greater", "--ties", ">", "--method", "sampled", "--samples", "500", "--seed", "7"]
    answer = shell("audit", model_file, "-s", suite_file, "--json", *options)
    line, pooled = map(json.loads, answer.out.splitlines())
    assert line["similarity"] == "negative-distance"
    assert line["convention"]["ddof"] == 0
    assert (line["p"]["sides"], line["p"]["ties"]) == ("greater", ">")
    assert (line["p"]["method"], line["p"]["samples"], line["p"]["seed"]) == ("sampled", 500, 7)
    assert (pooled["p"]["sides"], pooled["p"]["ties"], pooled["seed"]) == ("two", ">=", 7)
    assert pooled["convention"]["ddof"] == 0  # a category of one test has its effect
    assert pooled["effect"] == line["effect"]


def test_without_a_suite_the_choice_is_printed(shell: Shell) -> None:
    answer = shell("audit", "glove-hi-small", "--csv")
    assert answer.code == 0
    assert "malik2022 (" in answer.err


def test_a_model_that_no_suite_fits_is_refused(shell: Shell, model_file: Path) -> None:
    answer = shell("audit", model_file)
    assert answer.code == 2
    assert "no shipped suite fits" in answer.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["nosuchmodel"], "nosuchmodel"),
        (["glove-hi-small", "--suite", "malik2023"], "did you mean malik2022"),
        (["glove-hi-small", "--similarity", "cosin"], "did you mean cosine"),
        (["glove-hi-small", "--json", "--csv"], "Choose one of"),
        (
            ["glove-hi-small", "--min-coverage", "2"],
            "error: --min-coverage is '2'; it must be a number from 0 to 1.",
        ),
        (
            ["glove-hi-small", "--samples", "3"],
            "error: --samples is '3'; it must be a whole number from 100 to 100000000.",
        ),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(
    shell: Shell, options: list[str], message: str
) -> None:
    answer = shell("audit", *options)
    assert answer.code == 2
    assert message in answer.err
    assert len(answer.err.strip().splitlines()) == 1
    assert "Traceback" not in answer.err


def test_sides_have_labels_and_the_chosen_tails(
    shell: Shell, model_file: Path, suite_file: Path
) -> None:
    answer = shell("audit", model_file, "-s", suite_file, "--sides", "less")
    assert "p (less), Holm" in answer.out
    assert answer.out.splitlines()[-2].split()[-2:] == ["1", "1"]
    assert "Verdicts are two-sided" in answer.out


def test_a_pipe_gets_every_column_and_every_reason(shell: Shell, tmp_path: Path) -> None:
    answer = shell("audit", "glove-en-twin-small", "-s", "caliskan2017/weat-4")
    assert "Interval" in answer.out
    assert "caliskan2017/weat-4" in answer.out
    assert "Only " in answer.out


def test_a_reader_that_has_seen_enough_is_no_error(model_file: Path) -> None:
    command = f"{sys.executable} -c 'from fairvec.cli import main; main()' suites show hi"
    shell = f"set -o pipefail; {command} | true; echo code $?"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=True)
    assert (done.stdout.strip(), done.stderr) == ("code 0", "")


def test_a_terminal_without_the_letters_gets_their_codes() -> None:
    command = [sys.executable, "-c", "from fairvec.cli import main; main()", "suites", "show", "ru"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert "\\u043a" in done.stdout


def test_an_audit_that_measures_nothing_is_bad_input(shell: Shell) -> None:
    answer = shell("audit", "navec-ru-small", "-s", "hi", "--csv")
    assert answer.code == 2
    assert "Nothing was measured" in answer.err


@pytest.fixture
def of_two_languages(tmp_path: Path) -> Path:
    """A model without a word about its language: all tested words of English and of Hindi."""
    entries = [word.word for each in select_tests(["en", "hi"]) for word in every_word(each.test)]
    keys = list(dict.fromkeys(part for entry in entries for part in entry.split()))
    vectors = np.random.default_rng(0).normal(size=(len(keys), 5)).astype(np.float32)
    return fairvec.save(fairvec.load(vectors, keys=keys), tmp_path / "aligned.vec")


def every_word(test: Test) -> list[Word]:
    return [word for wordset in test.sets.values() for word in wordset.words]


def languages(answer: Answer) -> set[str]:
    return {json.loads(line)["test"]["language"] for line in answer.out.splitlines()}


def test_a_model_of_two_languages_is_measured_in_one_and_the_other_is_named(
    shell: Shell, of_two_languages: Path
) -> None:
    quick = ("--json", "--method", "sampled", "--samples", "100")
    found = shell("audit", of_two_languages, *quick)
    (taken,) = languages(found)
    (other,) = {"en", "hi"} - {taken}
    line = next(line for line in found.err.splitlines() if "also fits" in line)
    assert f"measured in {taken}, but also fits {other}." in line
    assert f"--language {taken} --language {other}" in line
    both = shell("audit", of_two_languages, "--language", "en", "--language", "hi", *quick)
    assert languages(both) == {"en", "hi"}
    assert "also fits" not in both.err
    of_other = shell(
        "audit", of_two_languages, "--language", other, "--suite", "caliskan2017", *quick
    )
    assert languages(of_other) == {"en"}


def test_a_language_that_is_no_code_is_refused(shell: Shell, model_file: Path) -> None:
    answer = shell("audit", model_file, "--language", "Russian")
    assert answer.code == 2
    assert "its code such as en" in answer.err


def test_convert_writes_the_language_into_the_file(
    shell: Shell, model_file: Path, tmp_path: Path
) -> None:
    shell("convert", model_file, tmp_path / "toy.fairvec", "--language", "ru")
    assert fairvec.load(tmp_path / "toy.fairvec").languages == ("ru",)


def test_a_ball_that_nobody_named_leads_to_a_question(
    shell: Shell, model_file: Path, suite_file: Path, tmp_path: Path
) -> None:
    """A file whose points all lie within the unit ball is read as flat with one sentence."""
    model = fairvec.load(model_file)
    longest = np.linalg.norm(model.vectors, axis=1).max()
    np.savez(tmp_path / "ball.npz", words=[*model.keys], vectors=model.vectors * 0.8 / longest)
    arguments = ("audit", tmp_path / "ball.npz", "--suite", suite_file)
    question = "say --geometry poincare, else --geometry euclidean."
    answer = shell(*arguments)
    assert answer.code == 0
    assert answer.err.count(question) == 1
    for named in ("poincare", "euclidean"):
        assert question not in shell(*arguments, "--geometry", named).err
    there = fairvec.load(tmp_path / "ball.npz", geometry="poincare")
    fairvec.save(there, tmp_path / "said.npz")
    answer = shell("audit", tmp_path / "said.npz", "--suite", suite_file, "--json")
    assert "said lies in the poincare ball of curvature 1, as its file says." in answer.err
    records = [json.loads(line) for line in answer.out.splitlines()]
    assert {one["model"]["geometry"] for one in records if "model" in one} == {"poincare"}


# --- Words that a fastText model has not seen are composed from their pieces, as in Python ---


TEST, NAMES = "kumar2020/b1", "caliskan2017/weat-3"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A fastText model that has seen all words of a test but three, two of them in one list."""
    fasttext = pytest.importorskip("gensim.models.fasttext", reason="gensim is not installed")
    (chosen,) = select_tests([TEST])
    words = [each.word for group in chosen.test.sets.values() for each in group.words]
    lost = {*[each.word for each in chosen.test.sets["x"].words][:2], words[-1]}
    text = [[word for word in words if word not in lost]] * 3
    made = fasttext.FastText(text, vector_size=8, min_count=1, bucket=500, workers=1, seed=1)
    fasttext.save_facebook_model(made, str(tmp_path / "pieces.bin"))
    return tmp_path / "pieces.bin"


def records(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_an_audit_composes_the_words_that_are_missing(shell: Shell, model: Path) -> None:
    answer = shell("audit", model, "--suite", TEST, "--json")
    assert answer.code == 0
    found = records(answer.out)[0]
    (chosen,) = select_tests([TEST])
    words = [each.word for group in chosen.test.sets.values() for each in group.words]
    known = fairvec.load(model)
    lost = sorted({word for word in words if word not in known})
    assert len(lost) == 3
    (result, *_) = fairvec.audit(fairvec.load(model, words=words), suites=TEST)
    assert isinstance(result, Result)
    assert found["effect"] == result.effect
    assert found["p"]["value"] == result.p.value
    assert all(not group["missing"] for group in found["coverage"])
    assert found["model"]["history"][-1]["composed"] == lost
    how = {word: rule for group in found["coverage"] for word, rule in group["how"].items()}
    assert how == dict.fromkeys(lost, "composed from pieces")
    assert "pieces: 3 of the requested words are not in its vocabulary and were" in answer.err
    (without, *_) = fairvec.audit(known, suites=TEST)
    assert isinstance(without, Result)
    assert without.effect != result.effect


def test_python_composes_what_the_shell_does(shell: Shell, model: Path) -> None:
    (found, *_) = records(shell("audit", model, "--suite", TEST, "--json").out)
    for named in (model, str(model)):
        (result, *_) = fairvec.audit(named, suites=TEST)
        assert json.loads(result.model_dump_json()) == found


def test_the_words_that_a_test_needs_are_counted_with_them(shell: Shell, model: Path) -> None:
    (found, *_) = records(shell("audit", model, "--suite", TEST, "--json").out)
    quick = ("--draws", 40, "--longest", 3, "--json")
    answer = shell("suites", "needs", TEST, "--model", model, *quick)
    needed = json.loads(answer.out)
    assert (needed["effect"], needed["p"]) == (found["effect"], found["p"]["value"])
    assert "3 of the requested words are not in its vocabulary" in answer.err


def test_lists_in_a_call_of_python_are_composed_too(model: Path) -> None:
    (chosen,) = select_tests([TEST])
    lists: dict[str, Any] = {
        role: [each.word for each in group.words] for role, group in chosen.test.sets.items()
    }
    (named, *_) = fairvec.audit(model, suites=TEST)
    (result, *_) = fairvec.audit(model, **lists)
    assert isinstance(result, Result)
    assert isinstance(named, Result)
    assert result.effect == named.effect
    assert [group.how for group in result.coverage] == [group.how for group in named.coverage]


def test_a_spelling_that_was_learnt_goes_before_pieces(shell: Shell, tmp_path: Path) -> None:
    """A list has names in capitals and the text had none: what was learnt is not composed."""
    fasttext = pytest.importorskip("gensim.models.fasttext", reason="gensim is not installed")
    (chosen,) = select_tests([NAMES])
    listed = [each.word for group in chosen.test.sets.values() for each in group.words]
    words = [word.lower() for word in listed]
    assert words != listed
    made = fasttext.FastText([words], vector_size=8, min_count=1, bucket=500, workers=1, seed=1)
    fasttext.save_facebook_model(made, str(tmp_path / "lower.bin"))
    answer = shell("audit", tmp_path / "lower.bin", "--suite", NAMES, "--json")
    (found, *_) = records(answer.out)
    assert "composed" not in found["model"]["history"][-1]
    assert "from their pieces" not in answer.err


def test_other_formats_compose_nothing(shell: Shell, tmp_path: Path) -> None:
    (chosen,) = select_tests([TEST])
    words = [each.word for group in chosen.test.sets.values() for each in group.words]
    rows = 2 + np.random.default_rng(0).normal(size=(len(words) - 1, 4))
    fairvec.save(fairvec.load(rows, keys=words[1:]), tmp_path / "plain.vec")
    answer = shell("audit", tmp_path / "plain.vec", "--suite", TEST, "--json")
    (found, *_) = records(answer.out)
    assert [one["missing"] for one in found["coverage"] if one["missing"]] != []
    assert "from their pieces" not in answer.err
