"""Debiased columns against a few lines of numpy on the shipped Hindi model."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import fairvec
from fairvec.embedding import Embedding, Lookup, load
from fairvec.experiments.audit.inference import PValueCache
from fairvec.experiments.audit.test_words import restrict_to_tests
from fairvec.geometry import FloatArray
from fairvec.lexicon import concept, resolve, select_tests
from fairvec.papers import CellLine, Reproduction, load_paper, reproduce
from fairvec.papers.measure import _run
from fairvec.papers.schema import Debiasing, Paper, Table
from fairvec.papers.variants import DebiasedColumn, DebiasedModels, FigureConvention
from fairvec.results import Result, Skipped
from tests.papers.conftest import known_by_size, write_model

NOUNS = ["यह _ है", "वह _ है", "वहाँ _ है", "यहाँ _ है", "_ यहाँ है", "_ वहाँ है", "वो _ है", "ये _ है"]
PAIRS = ("पिता माता", "बाप मां", "देव देवी", "बंदा बंदी", "नर नारी")
LPSG = {"keep": ["verbs", "adjectives"]}


@cache
def model() -> Embedding:
    return fairvec.load("glove-hi-small")


def vector(word: str) -> FloatArray:
    row: FloatArray = model().rows([word])[0]
    return row


def unit(rows: FloatArray) -> FloatArray:
    return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True))


def principal(rows: FloatArray) -> FloatArray:
    """The first principal component as a PCA gives it: of rows centred at their mean."""
    return np.asarray(np.linalg.svd(rows - rows.mean(axis=0))[2][0])


def listed(test: str) -> dict[str, list[str]]:
    chosen = select_tests([test])[0].test
    return {role: [word.word for word in chosen.sets[role].words] for role in "xyab"}


def effect(lists: dict[str, FloatArray], ddof: int) -> float:
    alike = {
        role: unit(lists[role]) @ np.concatenate([unit(lists["a"]), unit(lists["b"])]).T
        for role in "xy"
    }
    cut = len(lists["a"])
    x, y = (each[:, :cut].mean(axis=1) - each[:, cut:].mean(axis=1) for each in alike.values())
    return float((x.mean() - y.mean()) / np.concatenate([x, y]).std(ddof=ddof))


def without(rows: FloatArray, direction: FloatArray) -> FloatArray:
    g = direction / np.linalg.norm(direction)
    return np.asarray(rows - np.outer(rows @ g, g))


def some_tables(**cells: str) -> Paper:
    """Malik et al. with one cell of each of some tables: `table_3="row, as printed|column"`."""
    chosen = load_paper("malik2022")
    tables: list[Table] = []
    for table in chosen.tables:
        if where := cells.get(table.id.replace("-", "_")):
            row, column = where.split("|")
            number = list(table.columns).index(column)
            kept = table.rows[row].model_copy(update={"cells": (table.rows[row].cells[number],)})
            only = {"rows": {row: kept}, "columns": {column: table.columns[column]}, "remarks": ()}
            tables.append(table.model_copy(update=only))
    return chosen.model_copy(update={"tables": tuple(tables)})


def one_line(**cell: str) -> CellLine:
    (line,) = reproduce(some_tables(**cell)).lines
    return line


def d_of(line: CellLine) -> tuple[float | None, float | None]:
    ours, default = line.answers[0].ours, line.answers[0].default
    assert not isinstance(ours, str)
    assert not isinstance(default, str)
    return ours, default


def test_weat_projects_x_and_y_in_the_paper_and_everything_by_default() -> None:
    lists = {
        role: np.array(list(map(vector, words)))
        for role, words in listed("malik2022/maths-arts").items()
    }
    raw = vector("नारी") - vector("नर")
    some = lists | {role: without(lists[role], raw) for role in "xy"}
    units = unit(vector("नारी")) - unit(vector("नर"))
    every = {role: without(rows, units) for role, rows in lists.items()}
    ours, default = d_of(one_line(table_3="maths, arts|Linear Projection, naari-nar"))
    assert ours == pytest.approx(effect(some, ddof=0), abs=1e-6)
    assert default == pytest.approx(effect(every, ddof=1), abs=1e-6)
    assert effect(some, ddof=0) != pytest.approx(effect(lists, ddof=0), abs=0.01)


def test_seat_projects_the_words_put_in_and_by_default_the_sentences() -> None:
    rows = np.array([vector(word) for pair in PAIRS for word in pair.split()]).reshape(5, 2, -1)

    def direction(pairs: FloatArray) -> FloatArray:
        """Each pair is centred, and then the matrix again, which changes nothing."""
        return principal((pairs - pairs.mean(axis=1, keepdims=True)).reshape(10, -1))

    def sentences(words: list[str], g: FloatArray, *, whole: bool) -> FloatArray:
        encoded = []
        for word in words:
            for template in NOUNS:
                around = np.array([vector(token) for token in template.split() if token != "_"])
                put_in = without(vector(word)[None], g)
                others = without(around, g) if whole else around
                encoded.append(np.concatenate([put_in, others]).mean(axis=0))
        return np.array(encoded)

    words = listed("malik2022/science-arts")
    some, every = (
        {role: sentences(each, g, whole=whole) for role, each in words.items()}
        for g, whole in ((direction(rows), False), (direction(unit(rows)), True))
    )
    ours, default = d_of(one_line(table_4="science, arts|Linear Projection, PCA"))
    assert ours == pytest.approx(effect(some, ddof=0), abs=1e-6)
    assert default == pytest.approx(effect(every, ddof=1), abs=1e-6)
    assert effect(some, ddof=0) != pytest.approx(effect(every, ddof=0), abs=1e-3)


def test_lpsg_subtracts_entities_and_verbs_as_the_notebook_did() -> None:
    gender = concept("hi/gender")

    def of_pairs(pairs: list[tuple[str, str]]) -> FloatArray:
        rows = np.array([[vector(a) - vector(b), vector(b) - vector(a)] for a, b in pairs]) / 2
        return principal(rows.reshape(2 * len(pairs), -1))

    verbs = of_pairs([(a.word, b.word) for a, b in gender.keep["verbs"].pairs])
    entities = principal(
        np.array([vector(w.word) for w in gender.keep["entities"].words if w.word in model()])
    )
    own = of_pairs([(pair.split()[0], pair.split()[1]) for pair in PAIRS])
    semantic = own - (own @ entities) * entities - (own @ verbs) * verbs
    lists = {
        role: np.array(list(map(vector, words)))
        for role, words in listed("malik2022/gender-adjectives").items()
    }
    some = lists | {role: without(lists[role], semantic) for role in "xy"}
    ours, default = d_of(one_line(table_3="adjectives|LPSG, w/o verbs & adj"))
    assert ours == pytest.approx(effect(some, ddof=0), abs=1e-6)
    assert default != pytest.approx(ours, rel=0.01)


def test_hard_debiasing_moves_everything_under_either_convention() -> None:
    line = one_line(table_3="adjectives|Hard Debiasing, Gen. words, verbs")
    ours, default = d_of(line)
    assert ours is not None
    assert default == pytest.approx(ours * np.sqrt(13 / 14), rel=1e-9)
    assert any("stand-ins of ours" in note for note in line.notes)


def test_a_column_whose_words_are_missing_is_skipped_with_the_reason() -> None:
    found: Reproduction = reproduce(
        some_tables(table_5="SEAT: occupations|Linear Projection, ghasiya - desai")
    )
    (line,) = found.lines
    assert {(a.grade, a.ours, a.default) for a in line.answers} == {("skipped", None, None)}
    assert "glove-hi-small lacks घसिया" in line.notes[-1]
    assert all(isinstance(outcome, Skipped) for outcome in found.outcomes)


def test_a_result_says_what_was_debiased() -> None:
    found = reproduce(some_tables(table_3="adjectives|LPSG, w/o all dir."))
    papers, default = found.outcomes
    assert isinstance(papers, Result)
    assert papers.convention.denominator.endswith("only X and Y are debiased, not A and B")
    steps = [step["action"] for step in papers.model.history]
    assert steps[-2:] == ["subset", "debias"]
    assert papers.model.history[-1]["convention"] == "as-computed"
    assert default.model.history[-1]["convention"] == "as-described"
    assert any("keep = verbs, adjectives, titles, entities" in n for n in found.lines[0].notes)


@pytest.mark.parametrize("metric", ["weat", "seat"])
def test_the_words_of_the_tests_answer_as_the_whole_model_does(metric: str) -> None:
    tests = ["malik2022-translated/maths-arts", "malik2022/religion-terms"]
    part = restrict_to_tests(model(), select_tests(tests))
    assert len(part) < len(model()) / 50
    assert list(part.keys) == [key for key in model().keys if key in part]
    whole, some = (
        _run(DebiasedColumn(each, each), tests, metric, FigureConvention(), PValueCache())
        for each in (model(), part)
    )
    for one, other in zip(whole, some, strict=True):
        assert isinstance(one, Result)
        assert isinstance(other, Result)
        assert (one.effect, one.p, one.coverage) == (other.effect, other.p, other.coverage)


def test_words_are_found_in_part_of_a_model_as_in_the_whole() -> None:
    tests = ["malik2022", "malik2022-translated"]
    part = restrict_to_tests(model(), select_tests(tests))
    lookups = [Lookup(each.positions, "hi") for each in (model(), part)]
    for test in (each.test for each in select_tests(tests)):
        whole, some = (
            resolve(test, each, known) for each, known in zip((model(), part), lookups, strict=True)
        )
        for role, group in whole.groups.items():
            assert group.found == some[role].found
            assert group.missing == some[role].missing


def test_every_column_is_fitted_once() -> None:
    columns = DebiasedModels(model(), ["malik2022/maths-arts"])
    how = Debiasing(method="lpsg", concept="hi/gender:pairs", settings=LPSG)
    again = Debiasing(method="lpsg", concept="hi/gender:pairs", settings=LPSG)
    assert columns.for_tests(how, "default") is columns.for_tests(again, "default")
    assert columns.for_tests(how, "as-published") is not columns.for_tests(how, "default")
    assert columns.for_tests(None, "default").embedding is model()


def test_another_way_of_debiasing_is_named(tmp_path: Path) -> None:
    """A figure that debiases the whole embedding is explained by that, on the paper's own model."""
    path = write_model(
        tmp_path / "own.txt", ["malik2022/maths-arts"], dimensions=300, more=("नारी", "नर")
    )
    how = Debiasing(
        method="linear-projection", concept="hi/gender:one-pair", as_published={"raw": True}
    )
    column = DebiasedModels(load(str(path)), ["malik2022/maths-arts"]).for_tests(
        how, "as-published"
    )
    choices = FigureConvention(
        effect_size="population", sides="greater", ties=">", fit="as-published"
    )
    (outcome,) = _run(column, ["malik2022/maths-arts"], "weat", choices, PValueCache())
    assert isinstance(outcome, Result)
    small = known_by_size(
        some_tables(table_3="maths, arts|Linear Projection, naari-nar"), "glove", path
    )
    (table,) = small.tables
    row = table.rows["maths, arts"].model_copy(update={"cells": (f"{outcome.effect:.4f} -",)})
    again = table.model_copy(update={"rows": {"maths, arts": row}})
    (line,) = reproduce(small.model_copy(update={"tables": (again,)}), {"glove": [str(path)]}).lines
    assert line.answers[0].grade == "differs by convention"
    assert "d is matched under: the whole embedding debiased." in line.notes
