"""Reproductions as pages, spreadsheets and JSON."""

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fairvec import load
from fairvec.core.errors import FileFormatError
from fairvec.embedding.embedding import Step
from fairvec.embedding.saving import save
from fairvec.experiments.provenance import describe_model
from fairvec.messages.papers import describe_training
from fairvec.papers import (
    CLAIM_GRADES,
    CLAIM_TITLE,
    GRADES,
    HEADINGS,
    PAPERS,
    Reproduction,
    as_csv,
    as_markdown,
    claims_of,
    describe_conventions,
    grade_counts,
    load_paper,
    paper_tables,
    records_of,
    reproduce,
)
from fairvec.report import render_reproduction
from fairvec.results import Result
from fairvec.results.identities import ModelIdentity
from fairvec.results.reproduction import (
    ReproductionRecords,
    read_reproduction,
    reproduction_as_jsonl,
    write_reproduction,
)
from fairvec.training.gensim_training import GensimModel
from fairvec.training.train import open_text, train_embedding
from tests.papers.conftest import Make, write_model

# --- Every printed figure is on the page, in the spreadsheet and in the JSON, with a grade ---


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Reproduction]:
    """The four papers; Hindi is measured on a small model that knows two tests."""
    tests = ["malik2022/maths-arts", "malik2022/caste-adjectives"]
    hindi = write_model(tmp_path_factory.mktemp("models") / "hindi.txt", tests, dimensions=10)
    given: dict[str, dict[str, list[str]]] = {
        "malik2022": {"glove": [str(hindi)]},
        "bharti2021": {"conll17": [str(hindi)]},
    }
    return {name: reproduce(load_paper(name), stand_ins=given.get(name)) for name in PAPERS}


def shown(found: dict[str, Reproduction], name: str) -> ReproductionRecords:
    return records_of(found[name])


@pytest.mark.parametrize("name", PAPERS)
def test_every_figure_has_a_row_and_a_grade(found: dict[str, Reproduction], name: str) -> None:
    printed = [
        (cell.table, cell.row, cell.column, figure.quantity, figure.text)
        for cell in load_paper(name).cells()
        for figure in cell.figures
    ]
    rows = list(csv.DictReader(io.StringIO(as_csv(shown(found, name)))))
    columns = ("table", "row", "column", "quantity", "published")
    assert [tuple(row[column] for column in columns) for row in rows] == printed
    assert {row["grade"] for row in rows} <= set(GRADES)
    lines = [json.loads(line) for line in reproduction_as_jsonl(shown(found, name)).splitlines()]
    figures = [line for line in lines if line["kind"] == "figure"]
    assert [line["grade"] for line in figures] == [row["grade"] for row in rows]


@pytest.mark.parametrize("name", PAPERS)
def test_a_figure_without_a_number_of_ours_has_a_reason(
    found: dict[str, Reproduction], name: str
) -> None:
    for line in found[name].lines:
        for answer in line.answers:
            computed = answer.grade == "different model"
            assert (answer.ours is not None) == computed
            assert (answer.default is not None) == computed
        assert line.notes or all(answer.ours is not None for answer in line.answers)


@pytest.mark.parametrize("name", PAPERS)
def test_any_part_of_a_paper_has_a_page(found: dict[str, Reproduction], name: str) -> None:
    for line in found[name].lines:
        part = replace(found[name], lines=(line,), outcomes=(), claims=())
        assert as_markdown(records_of(part)).count(f"| {line.cell.row} |") == 1


@pytest.mark.parametrize("name", PAPERS)
def test_the_page_has_every_table(found: dict[str, Reproduction], name: str) -> None:
    page = as_markdown(shown(found, name))
    for view in paper_tables(shown(found, name)):
        _, _, after = page.partition(f"## {view.title}\n\n")
        assert after.partition("\n\n")[2].startswith("| row |")
        for row, *_ in view.rows:
            assert len(row) == len(HEADINGS)
            assert f"| {row[0]} | {row[1]} |" in page
            assert row[HEADINGS.index("grade")]
            marks = filter(None, str(row[HEADINGS.index("notes")]).split(", "))
            assert all(1 <= int(mark) <= len(view.notes) for mark in marks)
    assert page.endswith(f"Figures: {grade_counts(shown(found, name))}.\n")
    assert str(Path.home()) not in page


def test_d_and_p_are_shown_together(found: dict[str, Reproduction]) -> None:
    (view,) = [
        one for one in paper_tables(shown(found, "kumar2020")) if one.title.startswith("Table 2a")
    ]
    assert view.title == "Table 2a: WEAT for three sets of target words: d (p)"
    published = {row[:2]: row[2] for row, *_ in view.rows}
    assert published["E-Glove", "B3: Science vs Art"] == "-0.1131 (0.5443)"


def test_contradictions_are_shown_where_nothing_is_computed(
    found: dict[str, Reproduction],
) -> None:
    (view,) = [
        one for one in paper_tables(shown(found, "bharti2021")) if one.title.startswith("Table 4.1")
    ]
    grades = {row[:2]: row[HEADINGS.index("grade")] for row, *_ in view.rows}
    assert grades["B3: science vs arts", "Bollywood lyrics"] == "inconsistent in the paper"
    assert grades["B2: maths vs arts", "Bollywood lyrics"] == "inconsistent in the paper"
    assert grades["B4: intelligence vs appearance", "Bollywood lyrics"] == "no model"
    assert grades["B2: maths vs arts", "Wikipedia2016 w2v"] == "no model"
    assert grades["B2: maths vs arts", "Hindi CoNLL17"] == "skipped"


def test_a_missing_russian_model_has_its_command(found: dict[str, Reproduction]) -> None:
    page = as_markdown(shown(found, "pestova"))
    for model in ("ruscorpora", "ruwikiruscorpora", "tayga", "ru-news", "geowac"):
        assert f"fairvec models get {model}" in page


def test_sensitive_words_are_announced_once_and_never_printed(
    found: dict[str, Reproduction],
) -> None:
    page = as_markdown(shown(found, "malik2022"))
    assert page.count("Names of castes") == 1
    assert "दलित" not in page
    assert "Names of castes" not in as_markdown(shown(found, "kumar2020"))


def test_seat_is_shown_by_sentences_as_in_the_paper_and_by_words(
    found: dict[str, Reproduction],
) -> None:
    lines = {
        (line.cell.table, line.cell.row, line.cell.column): line
        for line in found["malik2022"].lines
    }
    line = lines["table-1", "maths, arts vs male, female", "SEAT, Lang-Specific"]
    results = [
        outcome
        for outcome in found["malik2022"].outcomes
        if isinstance(outcome, Result)
        and (outcome.metric, outcome.test.id) == ("seat", "malik2022/maths-arts")
        and not any(step.get("action") == "debias" for step in outcome.model.history)
    ]
    regrouped = {result.convention.denominator.split("; ")[1]: result for result in results}
    by_sentences = regrouped["p regroups sentences as if they were independent"]
    by_words = regrouped["p regroups words, each with all its sentences"]
    _, p = line.answers
    assert (p.ours, p.default) == (by_sentences.p.value, by_words.p.value)
    assert by_sentences.p.log10_partitions > by_words.p.log10_partitions


def test_a_number_of_words_is_shown_whole(found: dict[str, Reproduction]) -> None:
    (row,) = [
        line
        for line in as_markdown(shown(found, "kumar2020")).splitlines()
        if "| 126,065 |" in line
    ]
    ours = row.split(" | ")[3]
    assert ours.replace(",", "").isdigit()
    assert int(ours.replace(",", "")) > 1_000


def test_the_splits_that_were_drawn_and_those_of_the_text_are_distinguished() -> None:
    message = describe_conventions(load_paper("malik2022").convention)
    assert "the paper's text says 10,000 random splits, its authors' code draws 1,000" in message
    assert "the paper drew 100,000 random splits" in describe_conventions(
        load_paper("pestova").convention
    )


@pytest.mark.parametrize("name", PAPERS)
def test_every_claim_is_answered_first_and_with_a_reason(
    found: dict[str, Reproduction], name: str
) -> None:
    asked = [claim.id for claim in claims_of(name)]
    lines = [json.loads(line) for line in reproduction_as_jsonl(shown(found, name)).splitlines()]
    head, records = lines[0], lines[1 : 1 + len(found[name].claims)]
    assert (head["kind"], head["paper"]) == ("paper", name)
    assert {line["kind"] for line in records} == {"claim"}
    others = {line["kind"] for line in lines[1 + len(records) :]}
    assert {"figure"} <= others <= {"figure", "agreement", "drawing"}
    assert {line["schema_version"] for line in lines} == {3}
    assert list(dict.fromkeys(record["claim"] for record in records)) == asked
    for record in records:
        assert record["grade"] in CLAIM_GRADES
        assert record["sentence"]
        tried = record["grade"] != "not tried"
        assert bool(record["figures"]) == bool(record["how"]) == bool(record["n"]) == tried
        assert not tried or record["models"]
        assert not record["papers_own_model"], "a stand-in never is"
        assert not re.search(r"\bnan\b", record["sentence"])


@pytest.mark.parametrize("name", PAPERS)
def test_the_page_is_drawn_from_the_file_alone(
    found: dict[str, Reproduction], name: str, tmp_path: Path
) -> None:
    """What is written and read again gives the same page and spreadsheet, to the last byte."""
    records = shown(found, name)
    write_reproduction(records, tmp_path)
    read = read_reproduction(tmp_path)
    assert read == records
    assert (as_markdown(read), as_csv(read)) == (as_markdown(records), as_csv(records))
    assert render_reproduction(read) == render_reproduction(records)
    tables = {table.id: table for table in read.head.tables}
    for figure in read.figures:
        table = tables[figure.table]
        assert figure.row in table.rows
        assert figure.column in {name for one in table.columns for name in (one.name, one.group)}
    identities = {model.name for model in read.head.models}
    players = {role.model: role.made_from for role in read.head.roles if role.model}
    for figure in read.figures:
        assert not figure.p or players[figure.model] in identities


def test_a_line_has_p_and_interval_of_ours(found: dict[str, Reproduction]) -> None:
    """d and p of one cell have the same p; no interval of d is computed for a table."""
    figures = shown(found, "kumar2020").figures
    tested = [line for line in figures if line.test and line.model and line.quantity == "p"]
    assert tested
    for line in tested:
        assert line.p is not None
        assert (line.p.value, line.interval) == (line.ours, None)
        assert (line.p.sides, line.p.ties) == ("greater", ">=")


def test_a_file_of_several_papers_or_of_none_is_refused(
    found: dict[str, Reproduction], tmp_path: Path
) -> None:
    path = write_reproduction(shown(found, "pestova"), tmp_path)
    head, *rest = path.read_text(encoding="utf-8").splitlines()
    for lines, count in (([head, head, *rest], 2), (rest, 0)):
        path.write_text("\n".join(lines), encoding="utf-8")
        with pytest.raises(FileFormatError, match=f"{count} lines say which paper"):
            read_reproduction(tmp_path)
    path.write_text(head.replace('"schema_version":3', '"schema_version":2'), encoding="utf-8")
    with pytest.raises(FileFormatError, match="run 'fairvec reproduce' again"):
        read_reproduction(path)


@pytest.mark.parametrize("name", PAPERS)
def test_the_page_opens_with_the_claims(found: dict[str, Reproduction], name: str) -> None:
    page = as_markdown(shown(found, name))
    opening, _, rest = page.partition("\n## The tables\n")
    assert f"## {CLAIM_TITLE}" in opening
    assert rest.count("\n## ") == len(load_paper(name).tables)
    for claim in claims_of(name):
        assert f" | {claim.says} | " in opening
        assert claim.quote in opening
    numbers = [int(n) for n in re.findall(r"(?m)^(\d+)\. ", opening)]
    assert numbers == list(range(1, len(found[name].claims) + 1))


# --- A page says of a model that fairvec trained on what text, and says nothing of any other ---


def identity(*history: dict[str, Any]) -> ModelIdentity:
    return ModelIdentity(
        name="m", sha256="0", geometry="euclidean", curvature=0, dimensions=2, words=2,
        history=history,
    )  # fmt: skip


def test_a_real_training_names_its_kind_text_hash_and_settings(tmp_path: Path) -> None:
    pytest.importorskip("gensim")
    file = tmp_path / "small.txt"
    file.write_text("a b a b a b\n" * 9, encoding="utf-8")
    text = open_text([file], "en", window=3)
    model = train_embedding(text, GensimModel("cbow", dimensions=2, epochs=2), threads=1)
    assert describe_training(describe_model(model)) == (
        f"trained with fairvec as cbow on small.txt (SHA-256 {text.sha256}), words plain, "
        "window 3, min count 5, epochs 2, seed 0"
    )


@pytest.mark.parametrize(
    ("history", "message"),
    [
        ((), ""),
        (({"action": "read", "corpus": ["a.txt"]},), ""),
        (({"action": "trained"},), "trained with fairvec as another kind"),
        (
            ({"action": "trained", "by": "glove", "corpus": "a.txt"}, {"action": "debias"}),
            "trained with fairvec as glove on a.txt",
        ),
        (
            ({"action": "trained", "by": "glove", "corpus": ["a", 7], "most_words": None},),
            "trained with fairvec as glove on a + 7",
        ),
    ],
    ids=["nothing", "read", "bare", "text", "odd"],
)
def test_only_what_a_history_says_is_reported(
    history: tuple[dict[str, Any], ...], message: str
) -> None:
    assert describe_training(identity(*history)) == message


def test_the_page_tells_it_beside_the_model(make_model: Make, tmp_path: Path) -> None:
    like = load(make_model(["pestova/e1"], dimensions=5))
    step = Step("trained", {"by": "skipgram", "corpus": ["news.txt"], "corpus_sha256": "abc"})
    save(replace(like, name="news", history=(step,)), tmp_path / "news.fairvec")
    found = reproduce(
        load_paper("pestova"), stand_ins={"news-skip": [str(tmp_path / "news.fairvec")]}
    )
    shown = "euclidean; trained with fairvec as skipgram on news.txt (SHA-256 abc))\n"
    assert f"- news-skip: news ({len(like)} words, 5 dimensions, {shown}" in as_markdown(
        records_of(found)
    )
