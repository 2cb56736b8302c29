"""Measuring a paper's cells."""

from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from pathlib import Path
from statistics import fmean, pstdev, stdev
from typing import get_args

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fairvec
from fairvec.core.errors import UndefinedError
from fairvec.embedding import Embedding, Lookup, load
from fairvec.experiments.audit.inference import PValueCache
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.audit.run import run_tests
from fairvec.experiments.audit.test_words import restrict_to_tests
from fairvec.geometry import SIMILARITIES, FloatArray, Geometry
from fairvec.lexicon import Groups, concept, resolve, select_tests
from fairvec.metrics import EFFECT_SIZES, Score, TwoSamples
from fairvec.papers import CellLine, Reproduction, load_paper, reproduce
from fairvec.papers.measure import _compute_quantity, _metric, _run, _score, quantity_value
from fairvec.papers.readings import Correlation, bias_correlation
from fairvec.papers.schema import (
    Debiasing,
    Paper,
    PaperTable,
    Repeats,
    UnavailableError,
    parse_paper,
)
from fairvec.papers.variants import DebiasedColumn, DebiasedModels, FigureConvention, MetricVariant
from fairvec.results import Result, Skipped
from fairvec.stats import Sides, Ties, permutation_test
from tests.papers.conftest import Make, known_by_size, words_of, write_model
from tests.papers.toys import HEAD

# --- The search for a convention asks for one figure, and gets what a whole run would say of it


TESTS = ("malik2022/maths-arts", "malik2022-translated/science-arts", "malik2022/urban-rural")
WORDS = {test: words_of([test]) for test in TESTS}

choices = st.builds(
    FigureConvention,
    similarity=st.sampled_from([None, *(each.name for each in SIMILARITIES)]),
    effect_size=st.sampled_from([each.name for each in EFFECT_SIZES]),
    repeats=st.sampled_from(get_args(Repeats)),
    sides=st.sampled_from(get_args(Sides)),
    ties=st.sampled_from(get_args(Ties)),
)


def model(test: str, seed: int, lacking: float, alike: bool) -> DebiasedColumn:
    """A model of the words of a test, without some of them or with all in one place."""
    generator = np.random.default_rng(seed)
    known = [word for word in WORDS[test] if generator.random() >= lacking]
    vectors = generator.normal(size=(len(known), 5))
    embedding = Embedding(known, np.ones_like(vectors) if alike else vectors, name="small")
    return DebiasedColumn(embedding, embedding)


# The shared fixture that empties the cache need not do so for each example.
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    choices,
    st.sampled_from(TESTS),
    st.sampled_from(("weat", "seat", "mac", "ripa")),
    st.sampled_from(("d", "p", "%")),
    st.integers(0, 2**31),
    st.sampled_from((0.0, 0.0, 0.4, 0.9)),
    st.sampled_from((False, False, False, True)),
)
def test_one_figure_is_what_the_whole_run_says_of_it(
    chosen: FigureConvention,
    test: str,
    name: str,
    quantity: str,
    seed: int,
    lacking: float,
    alike: bool,
) -> None:
    column = model(test, seed, lacking, alike)
    metric = _metric(column, name, chosen)
    (whole,) = _run(column, [test], name, chosen, PValueCache())
    try:
        score = _score(column.embedding, test, metric)
    except UnavailableError:
        assert quantity_value(whole, quantity) is None
        return
    one = _compute_quantity(quantity, score, chosen, PValueCache())
    assert one == quantity_value(whole, quantity)


@dataclass(frozen=True)
class Failing(MetricVariant):
    """A metric that has no value, or one with a mistake."""

    error: Exception

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        raise self.error


@pytest.mark.parametrize("quantity", ["d", "p", "%"])
def test_a_convention_that_cannot_be_tried_explains_nothing(quantity: str) -> None:
    chosen = FigureConvention()
    column = model(TESTS[0], 0, 0.0, alike=False)
    failing = Failing(_metric(column, "weat", chosen), UndefinedError("Nothing to divide by."))
    statistics = Statistics(interval="none")
    (whole,) = run_tests(column.embedding, select_tests([TESTS[0]]), failing, statistics)
    assert quantity_value(whole, quantity) is None
    with pytest.raises(UnavailableError, match="divide by"):
        _score(column.embedding, TESTS[0], failing)
    mistaken = replace(failing, error=ZeroDivisionError("a mistake"))
    with pytest.raises(ZeroDivisionError):
        _score(column.embedding, TESTS[0], mistaken)


@pytest.mark.parametrize(("each", "counts"), [(8, 6), (21, 1), (30, 6)])
def test_a_p_out_of_reach_is_not_counted(
    each: int, counts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a count is slow only bounds are taken, unless the count could be what is sought."""
    asked: list[tuple[int, str]] = []

    class Telling(PValueCache):
        def of(self, x, y, rules, **settings):  # type: ignore[no-untyped-def]
            asked.append((len(rules), settings["method"]))
            return super().of(x, y, rules, **settings)

    x, y = np.random.default_rng(0).normal(size=(2, each, 2))
    x[:, 0] += 0.5
    samples = TwoSamples(x, y, lambda rows: rows[:, 0], lambda a, b: a.mean() - b.mean())
    score, choices = Score(0.5, (), samples), FigureConvention(sides="greater", ties=">")
    usual = permutation_test(x[:, 0], y[:, 0], sides="greater", ties=">").value
    assert _compute_quantity("p", score, choices, Telling()) == usual
    slow = 40 <= 2 * each <= 50
    assert asked == ([(6, "certified")] if slow else []) + [(counts, "auto")]
    asked.clear()
    found = _compute_quantity("p", score, choices, Telling(), lambda low, high: low <= 0.9 <= high)
    assert found == (None if slow else usual)
    assert asked == [(6, "certified" if slow else "auto")]


# --- Figure 1 of Kumar et al. on the shipped twins, against the formulas of the paper ---


PROFESSIONS = "bolukbasi2016/professions"


def add(x: FloatArray, y: FloatArray) -> FloatArray:
    xy, xx, yy = x @ y, x @ x, y @ y
    return np.asarray(((1 + 2 * xy + yy) * x + (1 - xx) * y) / (1 + 2 * xy + xx * yy))


def unit(rows: FloatArray) -> FloatArray:
    return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True))


def by_hand(curved: Embedding, flat: Embedding, leaving_out: int | None = None) -> float:
    """Figure 1's r by the formulas, without one of the pairs."""
    test = select_tests([PROFESSIONS])[0].test
    found = {model.name: resolve(test, model) for model in (curved, flat)}
    ball = found[curved.name]
    kept = [n for n in range(len(test.sets["a"].words)) if n != leaving_out]
    sides = ([test.sets[role].words[n] for n in kept] for role in "ab")
    places = ([ball[role].rows[w] for w in side] for role, side in zip("ab", sides, strict=True))
    male, female = (
        curved.geometry.mean(ball[role].vectors[rows]).point
        for role, rows in zip("ab", places, strict=True)
    )
    words = unit(ball["words"].vectors)
    gamma = (words @ unit(add(-male, female)) - words @ unit(add(-female, male))) / 2
    a, b = (unit(side.vectors[kept]) for side in found[flat.name].pairs())
    halves = np.concatenate([a - b, b - a]) / 2
    axis = np.linalg.svd(halves)[2][0]
    axis *= np.sign(axis @ (b - a).mean(axis=0))
    rows = unit(found[flat.name]["words"].vectors) @ axis
    return float(np.corrcoef(gamma, rows)[0, 1])


def test_words_lean_alike_in_the_twins_and_that_hangs_on_a_pair() -> None:
    curved, flat = (
        fairvec.load(f"{name}-small") for name in ("poincare-glove-en", "glove-en-twin")
    )
    ours = bias_correlation(curved, flat, PROFESSIONS)
    assert ours.by_pairs is not None
    assert abs(ours.by_pairs - by_hand(curved, flat)) < 1e-6
    assert ours.by_pairs > 0.9
    words = [{word.word for word in one.words} for one in ours.outcomes[:2]]  # type: ignore[union-attr]
    assert ours.words == len(words[0] & words[1])
    assert {one.metric for one in ours.outcomes} == {"gyrocosine-bias", "signed-direct-bias"}
    test = select_tests([PROFESSIONS])[0].test
    sides = (test.sets[role].words for role in "ab")
    pairs = [f"{one.word}-{two.word}" for one, two in zip(*sides, strict=True)]
    without = {pair: by_hand(curved, flat, number) for number, pair in enumerate(pairs)}
    low, high = min(without, key=without.__getitem__), max(without, key=without.__getitem__)
    assert low == "John-Mary"
    assert ours.notes[-1] == (
        f"With one of the 10 pairs left out, from {without[low]:.3f} (without {low}) to "
        f"{without[high]:.3f} (without {high})."
    )


def test_each_correlation_is_of_its_own_test_and_roles_wherever_they_stand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The other role may come later and have no figure of its own."""
    asked: list[tuple[str, str, str]] = []

    def answer(curved: Embedding, flat: Embedding, test: str) -> Correlation:
        asked.append((curved.name, flat.name, test))
        return Correlation(len(asked) / 10, 30, (), ())

    monkeypatch.setattr("fairvec.papers.measure.bias_correlation", answer)
    text = (
        HEAD
        + """
[roles.curved]
title = "Curved"
[roles.flat]
title = "Flat"
[roles.twin]
title = "Twin"
[[tables]]
id = "figure"
title = "A figure"
role = "curved"
shows = ["r"]
[tables.columns]
flat = { against = "flat" }
twin = { against = "twin" }
[tables.rows]
maths = { suite = "malik2022", test = "maths-arts", cells = ["0.1", "0.2"] }
science = { suite = "malik2022", test = "science-arts", cells = ["0.3", "0.4"] }
"""
    )
    models = {"curved": ["poincare-glove-en-small"], "flat": ["glove-en-small"]}
    found = reproduce(parse_paper(text), models, {"twin": ["glove-en-twin-small"]}, claims=())
    assert len(asked) == len({*asked}) == 4
    values = {
        (line.cell.test, line.cell.settings.against): line.answers[0].ours for line in found.lines
    }
    expected = {
        (test, "flat" if flat.startswith("glove-en-small") else "twin"): place / 10
        for place, (_, flat, test) in enumerate(asked, 1)
    }
    assert values == expected


def test_without_the_other_model_there_is_no_correlation() -> None:
    chosen = load_paper("kumar2020")
    figure = tuple(one for one in chosen.tables if one.id == "figure-1")
    roles = chosen.roles | {"e-glove": chosen.roles["e-glove"].model_copy(update={"stand_ins": ()})}
    (line,) = reproduce(chosen.model_copy(update={"tables": figure, "roles": roles})).lines
    assert (line.answers[0].grade, line.answers[0].ours) == ("no model", None)
    assert "--model e-glove=e-glove.txt" in line.notes[0]


# --- Lists that repeat words, against the formula of the authors' notebook in plain loops ---


TEST = "malik2022-translated/science-arts"
PLEASANT = "malik2022-translated/caste-adjectives"


def leaning(word: str, points: dict[str, FloatArray], lists: dict[str, list[str]]) -> float:
    def cosine(u: FloatArray, v: FloatArray) -> float:
        return float(u @ v / np.linalg.norm(u) / np.linalg.norm(v))

    return fmean(cosine(points[word], points[a]) for a in lists["a"]) - fmean(
        cosine(points[word], points[b]) for b in lists["b"]
    )


def read(path: Path, test: str) -> tuple[dict[str, FloatArray], dict[str, list[str]]]:
    lines = (line.split() for line in path.read_text(encoding="utf-8").splitlines()[1:])
    points = {word: np.array(row, np.float32).astype(float) for word, *row in lines}
    chosen = select_tests([test])[0].test
    return points, {role: [word.word for word in chosen.sets[role].words] for role in "xyab"}


def measure_model(path: Path, test: str, metric: str = "weat", **choices: str) -> Result:
    chosen = FigureConvention(sides="greater", ties=">", **choices)  # type: ignore[arg-type]
    model = load(str(path))
    (outcome,) = _run(DebiasedColumn(model, model), [test], metric, chosen, PValueCache())
    assert isinstance(outcome, Result)
    return outcome


@pytest.mark.parametrize(
    ("test", "size", "deviation"),
    [(TEST, "population", pstdev), (TEST, "caliskan", stdev), (PLEASANT, "population", pstdev)],
)
def test_means_keep_repeats_and_the_deviation_is_over_the_set(
    make_model: Make, test: str, size: str, deviation: object
) -> None:
    path = make_model([test], dimensions=6)
    points, lists = read(path, test)
    assert any(len(set(words)) < len(words) for words in lists.values())
    x, y = ([leaning(w, points, lists) for w in lists[role]] for role in "xy")
    spread = [leaning(w, points, lists) for w in {*lists["x"], *lists["y"]}]
    assert callable(deviation)
    d = (fmean(x) - fmean(y)) / deviation(spread)
    kept = measure_model(path, test, effect_size=size, repeats="kept")
    assert kept.effect == pytest.approx(d)
    assert "repeated words count each time" in kept.convention.denominator
    assert measure_model(path, test, effect_size=size).effect != pytest.approx(d)


def test_p_splits_the_lists_with_their_repeats(make_model: Make) -> None:
    path = make_model([TEST], dimensions=6)
    points, lists = read(path, TEST)
    pooled = [leaning(w, points, lists) for w in (*lists["x"], *lists["y"])]
    seen = sum(pooled[:8])
    sums = [sum(chosen) for chosen in combinations(pooled, 8)]
    p = fmean(one > seen + 1e-12 for one in sums)
    assert measure_model(path, TEST, repeats="kept").p.value == pytest.approx(p)


@pytest.mark.parametrize("metric", ["weat", "seat"])
def test_without_repeats_nothing_changes(make_model: Make, metric: str) -> None:
    path = make_model(["malik2022/maths-arts"], dimensions=6)
    how = {"permute": "sentences", "attribute_templates": "targets"}
    once, kept = (
        measure_model(path, "malik2022/maths-arts", metric, repeats=repeats, **how)
        for repeats in ("once", "kept")
    )
    assert kept.effect == pytest.approx(once.effect)
    assert kept.p.value == once.p.value


def test_sentences_of_a_repeated_word_count_again(make_model: Make) -> None:
    """In the means and, other than in WEAT, in the deviation too.

    The model knows no other word of a sentence, so that every sentence is its word.
    """
    path = make_model([PLEASANT], dimensions=6)
    points, lists = read(path, PLEASANT)
    x, y = ([leaning(w, points, lists) for w in lists[role]] for role in "xy")
    how = {"effect_size": "population", "permute": "sentences", "attribute_templates": "targets"}
    kept = measure_model(path, PLEASANT, "seat", repeats="kept", **how)
    once = measure_model(path, PLEASANT, "seat", **how)
    assert kept.effect == pytest.approx((fmean(x) - fmean(y)) / pstdev([*x, *y]))
    assert kept.convention.denominator.endswith("repeated words count each time")
    assert kept.effect != pytest.approx(once.effect)
    assert kept.p.log10_partitions > once.p.log10_partitions


def test_repeats_are_a_named_convention(make_model: Make) -> None:
    """A figure that counts repeats once is explained by that, in a paper that keeps them."""
    path = make_model([TEST], dimensions=300)
    ours = measure_model(path, TEST, effect_size="population").effect
    chosen = known_by_size(load_paper("malik2022"), "glove", path)
    (table,) = [table for table in chosen.tables if table.id == "table-1"]
    name = "science, arts vs male, female"
    row = table.rows[name].model_copy(update={"cells": (f"{ours:.4f} -", "", "", "")})
    small = table.model_copy(update={"rows": {name: row}, "remarks": ()})
    found: Reproduction = reproduce(
        chosen.model_copy(update={"tables": (small,)}), {"glove": [str(path)]}
    )
    (line,) = found.lines
    assert "d is matched under: repeated words counted once." in line.notes


# --- Debiased columns against a few lines of numpy on the shipped Hindi model ---


NOUNS = ["यह _ है", "वह _ है", "वहाँ _ है", "यहाँ _ है", "_ यहाँ है", "_ वहाँ है", "वो _ है", "ये _ है"]
PAIRS = ("पिता माता", "बाप मां", "देव देवी", "बंदा बंदी", "नर नारी")
LPSG = {"keep": ["verbs", "adjectives"]}


@cache
def model_debiased() -> Embedding:
    return fairvec.load("glove-hi-small")


def vector(word: str) -> FloatArray:
    row: FloatArray = model_debiased().rows([word])[0]
    return row


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
    tables: list[PaperTable] = []
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
        np.array(
            [vector(w.word) for w in gender.keep["entities"].words if w.word in model_debiased()]
        )
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
    assert any("Its lists are published nowhere: ours are" in note for note in line.notes)


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
    part = restrict_to_tests(model_debiased(), select_tests(tests))
    assert len(part) < len(model_debiased()) / 50
    assert list(part.keys) == [key for key in model_debiased().keys if key in part]
    whole, some = (
        _run(DebiasedColumn(each, each), tests, metric, FigureConvention(), PValueCache())
        for each in (model_debiased(), part)
    )
    for one, other in zip(whole, some, strict=True):
        assert isinstance(one, Result)
        assert isinstance(other, Result)
        assert (one.effect, one.p, one.coverage) == (other.effect, other.p, other.coverage)


def test_words_are_found_in_part_of_a_model_as_in_the_whole() -> None:
    tests = ["malik2022", "malik2022-translated"]
    part = restrict_to_tests(model_debiased(), select_tests(tests))
    lookups = [Lookup(each.positions, "hi") for each in (model_debiased(), part)]
    for test in (each.test for each in select_tests(tests)):
        whole, some = (
            resolve(test, each, known)
            for each, known in zip((model_debiased(), part), lookups, strict=True)
        )
        for role, group in whole.groups.items():
            assert group.found == some[role].found
            assert group.missing == some[role].missing


def test_every_column_is_fitted_once() -> None:
    columns = DebiasedModels(model_debiased(), ["malik2022/maths-arts"])
    how = Debiasing(method="lpsg", concept="hi/gender:pairs", settings=LPSG)
    again = Debiasing(method="lpsg", concept="hi/gender:pairs", settings=LPSG)
    assert columns.for_tests(how, "default") is columns.for_tests(again, "default")
    assert columns.for_tests(how, "as-published") is not columns.for_tests(how, "default")
    assert columns.for_tests(None, "default").embedding is model_debiased()


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
