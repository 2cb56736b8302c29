"""fairvec reproduce prints a paper's tables with the grades of its figures, and writes a folder."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import fairvec
from fairvec.lexicon import select_tests
from fairvec.papers import PAPERS, as_markdown, claims_of, load_paper
from fairvec.report import render_reproduction
from fairvec.results import read_results
from fairvec.results.reproduction import read_reproduction
from tests.cli.conftest import Shell
from tests.papers.conftest import words_of, write_model


@pytest.fixture(autouse=True)
def empty_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FAIRVEC_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("FAIRVEC_DATA", raising=False)


@pytest.fixture
def russian(tmp_path: Path) -> Path:
    return write_model(tmp_path / "russian.txt", ["pestova"], dimensions=300)


def test_tables_are_printed_with_published_figures_and_grades(shell: Shell, russian: Path) -> None:
    answer = shell("reproduce", "pestova", "--model", f"tayga-skip={russian}")
    assert answer.code == 0
    assert "Table 1: WEAT for seven word categories" in answer.out
    for text in ("0.262 (0.0201)", "0.735 (0.00002)", "raw-similarity", "no model", "russian"):
        assert text in answer.out
    opening, _, rest = answer.out.partition("Does what the paper finds hold here?")
    assert "run: fairvec models get ruscorpora" in opening
    claims, _, rest = rest.partition("Agreement with the printed figures")
    assert "Gender bias is present in the model of literary texts." in " ".join(claims.split())
    assert "Claims: " in claims
    agreement, figures, tables = rest.partition("\nFigures: ")
    assert "Table 1: WEAT for seven word categories" in agreement
    assert "28 of 70 figures computed" in agreement
    assert figures
    assert "0.262 (0.0201)" in tables
    assert "Claims: " not in tables


@pytest.mark.parametrize(
    ("trained", "note"),
    [(0, "no figure is kept"), (1, "1 training is kept in "), (2, "2 trainings are kept in ")],
)
@pytest.mark.parametrize("in_folder", [False, True])
def test_an_interruption_names_what_is_stored(
    shell: Shell,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    trained: int,
    note: str,
    in_folder: bool,
) -> None:
    trainings = tmp_path / "cache" / "trainings"
    trainings.mkdir(parents=True)
    (trainings / "of-another-run.json").write_text("{}")

    def interrupted(*_: object, **__: object) -> None:
        for number in range(trained):
            (trainings / f"{number}.json").write_text("{}")
        raise KeyboardInterrupt

    monkeypatch.setattr("fairvec.cli.commands.reports.reproduce_paper", interrupted)
    folder = tmp_path / "run"
    answer = shell("reproduce", "bharti2021", *(("-o", folder) if in_folder else ()))
    assert (answer.code, answer.out) == (130, "")
    assert answer.err.count("Interrupted; ") == 1
    assert note in answer.err
    assert (str(trainings) in answer.err) == bool(trained)
    assert answer.err.endswith(f"Nothing was written to {folder}.\n") == in_folder
    assert not folder.exists()


def test_the_folder_has_the_page_the_spreadsheet_and_the_outcomes(
    shell: Shell, russian: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    answer = shell("reproduce", "pestova", "--stand-in", f"geowac-fast={russian}", "-o", folder)
    assert answer.code == 0
    assert "0.262 (0.0201)" not in answer.out
    assert f"Page: {folder / 'reproduction.html'}" in answer.err
    names = sorted(path.name for path in folder.iterdir())
    assert names == [
        "reproduction.csv",
        "reproduction.html",
        "reproduction.jsonl",
        "reproduction.md",
        "results.jsonl",
    ]
    records = read_reproduction(folder)
    claims = {one.claim: one for one in records.claims}
    assert list(claims) == [claim.id for claim in claims_of("pestova")]
    claim = claims["geowac-fast-significant"]
    assert (claim.models, claim.papers_own_model) == (("russian",), False)
    assert claim.grade != "not tried"
    assert as_markdown(records) == (folder / "reproduction.md").read_text(encoding="utf-8")
    page = (folder / "reproduction.html").read_text(encoding="utf-8")
    assert render_reproduction(records) == page
    with (folder / "reproduction.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 70
    ours = {(row["row"], row["quantity"]): row["ours"] for row in rows if row["model"] == "russian"}
    results = {
        (result.test.id, result.convention.name): result
        for result in read_results(folder)
        if result.status == "measured" and result.model.name == "russian"
    }
    assert len(results) == 14
    first = results["pestova/e1", "raw-similarity"]
    assert float(ours["E1: career vs family", "d"]) == first.effect
    assert float(ours["E1: career vs family", "p"]) == first.p.value
    assert (first.p.sides, first.p.ties) == ("greater", ">=")


def test_json_has_one_line_a_figure(shell: Shell) -> None:
    answer = shell("reproduce", "kumar2020", "--json")
    lines = [json.loads(line) for line in answer.out.splitlines()]
    figures = [line for line in lines if line["kind"] == "figure"]
    assert len(figures) == sum(len(cell.figures) for cell in load_paper("kumar2020").cells())
    claims = [line for line in lines if line["kind"] == "claim"]
    assert {line["claim"] for line in claims} == {claim.id for claim in claims_of("kumar2020")}
    (drawing,) = (line for line in lines if line["kind"] == "drawing")
    assert [len(one["words"]) for one in drawing["records"]] == [299, 299]
    assert {line["grade"] for line in figures} <= {"different model", "skipped", "no data"}
    assert all((line["ours"] is None) == (line["grade"] != "different model") for line in figures)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["kumar2021"], "did you mean kumar2020"),
        (["kumar2020", "--model", "e-glove"], "should be ROLE=MODEL"),
        (["kumar2020", "--model", "=x"], "should be ROLE=MODEL"),
        (["kumar2020", "--model", "e-glov=x.txt"], "did you mean e-glove"),
        (["kumar2020", "--stand-in", "e-glove=nosuchfile.txt"], "nosuchfile.txt"),
        (["kumar2020", "--corpus", "e-glove=text.txt"], "name the folder where these are kept"),
        (["kumar2020", "--train-stand-ins", "m", "--corpus", "e-glov=t"], "did you mean e-glove"),
        (["pestova", "--train-stand-ins", "m"], "The text of ru-mixed-cbow, "),
        (["kumar2020", "--vectors", "context"], "add --model or --stand-in ROLE=MODEL"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(
    shell: Shell, options: list[str], message: str
) -> None:
    answer = shell("reproduce", *options)
    assert answer.code == 2
    assert message in answer.err
    assert len(answer.err.strip().splitlines()) == 1


def test_stand_ins_are_trained_once_after_saying_so(shell: Shell, tmp_path: Path) -> None:
    pytest.importorskip("gensim", reason="gensim is not installed")
    pytest.importorskip("pymorphy3", reason="pymorphy3 is not installed")
    words = words_of(["pestova/e1"])
    generator = np.random.default_rng(0)
    lines = [" ".join(generator.choice(words, 12).tolist()) for _ in range(80)]
    text = tmp_path / "text.txt"
    text.write_text("\n".join(lines) + "\n", encoding="utf-8")
    folder = tmp_path / "models"
    asked = ("reproduce", "pestova", "--train-stand-ins", folder, "--corpus", f"rnc-cbow={text}")
    first = shell(*asked)
    assert first.code == 0
    plan = first.err.splitlines()
    assert plan[0].startswith(f"1 stand-in will be trained and kept in {folder}, which takes about")
    assert plan[1].startswith("  ru-mixed-cbow (cbow, 300 dimensions, window 20, tagged-lemmas; 0.")
    assert "ru-literature-skipgram" in plan[2]
    assert "--corpus rnc-wiki-skip=FILE" in plan[2]
    assert [file.name for file in folder.iterdir()] == ["ru-mixed-cbow.fairvec"]
    assert "ru-mixed-cbow stands in for RNC_cbow" in first.out
    assert "мужчина_NOUN" in fairvec.load(folder / "ru-mixed-cbow.fairvec")
    again = shell(*asked)
    assert again.err.splitlines()[0] == f"ru-mixed-cbow is kept in {folder} and not trained again."
    assert again.out == first.out


def test_the_help_names_the_papers(shell: Shell) -> None:
    text = shell("reproduce", "--help").out
    assert all(name in text for name in PAPERS)


def test_the_min_coverage_is_as_in_an_audit(shell: Shell, russian: Path, tmp_path: Path) -> None:
    """What the note of a skipped test advises is an option here, and the records say it."""
    _, *rows = russian.read_text(encoding="utf-8").splitlines()
    (e1,) = select_tests(["pestova/e1"])
    career = [word.word for word in e1.test.sets["x"].words]
    gone = set(career[: len(career) // 2 + 1])
    left = [row for row in rows if row.split()[0] not in gone]
    russian.write_text("\n".join([f"{len(left)} 300", *left]) + "\n", encoding="utf-8")
    command = ("reproduce", "pestova", "--stand-in", f"tayga-skip={russian}", "-o")
    answer = shell(*command, tmp_path / "usual")
    assert "(--min-coverage)" in answer.out
    assert shell(*command, tmp_path / "lower", "--min-coverage", "0.2").code == 0
    usual, lower = (
        {one.status for one in read_results(tmp_path / name) if one.test.id == "pestova/e1"}
        for name in ("usual", "lower")
    )
    assert "skipped" in usual
    assert lower == {"measured"}
    assert {one.min_coverage for one in read_results(tmp_path / "lower")} == {0.2}
    assert shell(*command, tmp_path / "no", "--min-coverage", "2").code == 2


def test_a_whole_model_may_play_with_its_other_vectors(
    shell: Shell, russian: Path, tmp_path: Path
) -> None:
    gensim = pytest.importorskip("gensim")
    words = [row.split()[0] for row in russian.read_text(encoding="utf-8").splitlines()[1:]]
    whole = gensim.models.Word2Vec([words], vector_size=300, min_count=1, epochs=1, seed=1)
    whole.save(str(tmp_path / "whole.model"))
    command = ("reproduce", "pestova", "--json", "--stand-in", f"tayga-skip={tmp_path}/whole.model")
    own, context = (
        [
            line["ours"]
            for line in map(json.loads, shell(*command, *more).out.splitlines())
            if line["kind"] == "figure"
        ]
        for more in ((), ("--vectors", "context"))
    )
    assert any(own)
    assert own != context
    one_vector = ("--stand-in", f"tayga-skip={russian}", "--vectors", "context")
    refused = shell("reproduce", "pestova", *one_vector)
    assert (refused.code, "holds one vector a word" in refused.err) == (2, True)


def test_a_name_with_tags_bars_and_line_ends_is_shown_as_it_is(
    shell: Shell, russian: Path, tmp_path: Path
) -> None:
    """A terminal's table reads tags, and a line end would tear a row of the page in two."""
    fairvec.save(fairvec.load(russian, name="x[/red]y|\nz"), tmp_path / "odd.fairvec")
    folder = tmp_path / "run"
    role = f"news-skip={tmp_path / 'odd.fairvec'}"
    answer = shell("reproduce", "pestova", "--stand-in", role)
    assert answer.code == 0
    rows = [line for line in answer.out.splitlines() if "different model" in line]
    assert len(rows) == 8  # the count of grades, and seven cells
    assert all(r"x[/red]y|\u000az" in row for row in rows[1:])
    assert shell("reproduce", "pestova", "--stand-in", role, "-o", folder).code == 0
    page = (folder / "reproduction.md").read_text(encoding="utf-8").splitlines()
    torn = [line for line in page if line.startswith("z")]
    assert torn == []
    claims = read_reproduction(folder).claims
    assert ("x[/red]y|\nz",) in [claim.models for claim in claims]


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_a_folder_that_cannot_be_had_is_refused_before_the_work(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr("fairvec.api.papers.reproduce_paper", None)
    answer = shell("reproduce", "pestova", "-o", tmp_path / place)
    assert answer.code == 2
    assert str(tmp_path / place) in answer.err
