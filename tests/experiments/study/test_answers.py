"""Answers of a study: factors, trends, balanced tables."""

import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from fairvec.core.errors import FairvecError, UnanswerableError
from fairvec.core.format import format_p, group_by
from fairvec.experiments.study.answers import (
    AXES,
    BalancedTable,
    answer_tests,
    balanced_table,
    seeds_needed,
    smallest_possible_p,
)
from fairvec.experiments.study.plan import parse_study, read_study
from fairvec.experiments.study.study import study
from fairvec.lexicon.suite_files import SelectedTest, parse_suite
from fairvec.messages.studies import study_sentence
from fairvec.report import write_study_report
from fairvec.results.study import (
    CellEffect,
    CellKey,
    FailedCell,
    IncompleteAnswer,
    MissingEffect,
    StudyAnswer,
    StudyTrend,
    read_study_lines,
    write_study,
)
from fairvec.stats import anova_table, holm
from tests.experiments.study.toys import PLAN, SUITE, cell, place, sentences, write_study_files

# --- answers ---


_SUITE = parse_suite(SUITE.replace("'", '"'), "toy")
TESTS = [SelectedTest(_SUITE, test) for test in _SUITE.tests]
VALUES = np.random.default_rng(1).normal(size=(2, 3, 3)) * 0.1 + np.array([0.2, 1.0])[:, None, None]
WHERE = list(product(enumerate(("news", "books")), enumerate((2, 5, 9)), range(3)))
CELLS = [
    cell(place(corpus, seed, window=window), float(VALUES[i, j, seed]))
    for (i, corpus), (j, window), seed in WHERE
]


def test_an_answer_is_the_analysis_of_the_cells() -> None:
    (answer,) = answer_tests(CELLS, TESTS)
    assert isinstance(answer, StudyAnswer)
    terms = anova_table(VALUES).terms
    assert [one.factors for one in answer.explained] == [
        ("corpus",), ("window",), ("corpus", "window")
    ]  # fmt: skip
    for one, term in zip(answer.explained, terms, strict=True):
        assert one.omega2 == pytest.approx(max(0, term.omega2))
        assert one.was_negative == (term.omega2 < 0 or term.component < 0)
        assert one.share_was_negative == (term.omega2 < 0)
        assert one.component_was_negative == (term.component < 0)
        assert (one.p is None) == (len(one.factors) > 1)
    assert answer.mean == pytest.approx(VALUES.mean())
    assert answer.word_spread == 1.0
    means = {(one.factor, one.level): one.mean for one in answer.levels}
    assert means["corpus", "books"] == pytest.approx(VALUES[1].mean())
    assert means["window", "5"] == pytest.approx(VALUES[:, 1].mean())
    assert answer.sentence.startswith("Corpus explains the most: ")


def test_the_sentence_does_not_praise_a_factor_that_seeds_outdo() -> None:
    noise = np.random.default_rng(5).normal(size=18)
    (answer,) = answer_tests(
        [cell(c.place, float(x)) for c, x in zip(CELLS, noise, strict=True)], TESTS
    )
    assert isinstance(answer, StudyAnswer)
    assert answer.sentence.startswith("Seeds explain the most: ")


def test_p_is_corrected_over_the_study() -> None:
    (answer,) = answer_tests(CELLS, TESTS)
    assert isinstance(answer, StudyAnswer)
    raw = [one.p for one in answer.explained if one.p is not None]
    corrected = [one.p_holm for one in answer.explained if one.p_holm is not None]
    assert corrected == pytest.approx(holm(np.array(raw)).tolist())


def test_a_failed_cell_is_reported_and_a_hole_without_remedy_refuses_the_test() -> None:
    lost = FailedCell(place=CELLS[0].place, reason="It ran away.")
    (answer,) = answer_tests([lost, *CELLS[1:]], TESTS)
    assert isinstance(answer, StudyAnswer)
    assert "is left out" in answer.left_out
    other = FailedCell(place=CELLS[-1].place, reason="It ran away.")
    (refused,) = answer_tests([lost, *CELLS[1:-1], other], TESTS)
    assert isinstance(refused, IncompleteAnswer)


def test_a_test_that_no_cell_answers_is_refused() -> None:
    gap = MissingEffect(test="toy/one", metric="weat", reason="Words are missing.")
    without_remedy = [cell(one.place, None).model_copy(update={"gaps": (gap,)}) for one in CELLS]
    (refused,) = answer_tests(without_remedy, TESTS)
    assert isinstance(refused, IncompleteAnswer)
    assert refused.reason == "No cell has an effect. In one of them: Words are missing."


def test_equal_effects_have_nothing_to_explain() -> None:
    (refused,) = answer_tests([cell(one.place, 0.5) for one in CELLS], TESTS)
    assert isinstance(refused, IncompleteAnswer)
    assert "nothing to explain" in refused.reason


def test_factors_that_act_together_are_named_together() -> None:
    turned = np.random.default_rng(2).normal(size=(2, 3, 3)) * 0.05
    turned[0] += np.array([-1.0, 0.0, 1.0])[:, None]
    turned[1] -= np.array([-1.0, 0.0, 1.0])[:, None]
    cells = [cell(one.place, float(x)) for one, x in zip(CELLS, turned.ravel(), strict=True)]
    (answer,) = answer_tests(cells, TESTS)
    assert isinstance(answer, StudyAnswer)
    assert answer.sentence.startswith("Corpus and window together explain the most: ")


def test_the_two_numbers_of_a_term_are_below_zero_each_by_itself() -> None:
    """Seeds that scatter less than the interaction: corpus has a share and no component."""
    seen = set()
    for seed in range(40):
        noise = np.random.default_rng(seed).normal(size=(2, 3, 3)) * 0.3
        noise += np.random.default_rng(seed + 99).normal(size=(2, 3, 1))
        cells = [cell(one.place, float(x)) for one, x in zip(CELLS, noise.ravel(), strict=True)]
        (answer,) = answer_tests(cells, TESTS)
        assert isinstance(answer, StudyAnswer)
        for one, term in zip(answer.explained, anova_table(noise).terms, strict=True):
            found = one.share_was_negative, one.component_was_negative
            assert found == (term.omega2 < 0, term.component < 0)
            seen.add(found)
    assert {(False, False), (False, True), (True, True)} <= seen


def with_shares(factor: float, seeds: float) -> StudyAnswer:
    (answer,) = answer_tests(CELLS, TESTS)
    assert isinstance(answer, StudyAnswer)
    first = answer.explained[0].model_copy(update={"omega2": factor, "low": 0.1, "high": 0.9})
    return answer.model_copy(update={"explained": (first,), "residual": seeds})


@pytest.mark.parametrize(
    ("factor", "seeds", "message"),
    [
        (0.401, 0.404, "Corpus explains as much of the variance as seeds do: 40% "),
        (0.404, 0.401, "Corpus explains as much of the variance as seeds do: 40% "),
        (0.39, 0.41, "Seeds explain the most: 41% of the variance; corpus explains 39% "),
        (0.41, 0.39, "Corpus explains the most: 41% of the variance "),
    ],
    ids=["just less", "just more", "less", "more"],
)
def test_the_sentence_claims_no_more_than_its_numbers_show(
    factor: float, seeds: float, message: str
) -> None:
    assert study_sentence(with_shares(factor, seeds)).startswith(message)


@pytest.mark.parametrize("shares", [(0.41, 0.39), (0.401, 0.404)], ids=["most", "as much"])
@pytest.mark.parametrize(
    ("p", "low", "doubt"),
    [
        (1 / 3, 0.0, ", which chance alone could give (Holm p = 0.33)"),
        (0.06, 0.1, ", which chance alone could give (Holm p = 0.060)"),
        (None, 0.004, ", which chance alone could give"),
        (0.05, 0.0, ""),
        (None, 0.1, ""),
    ],
    ids=["two seeds", "p above the level", "no p, from 0 on", "p at the level", "surely some"],
)
def test_a_share_that_chance_could_make_is_called_so(
    shares: tuple[float, float], p: float | None, low: float, doubt: str
) -> None:
    answer = with_shares(*shares)
    first = answer.explained[0].model_copy(update={"p_holm": p, "low": low})
    message = study_sentence(answer.model_copy(update={"explained": (first,)}))
    assert f" {low:.0%} to 90%){doubt}" in message
    assert ("chance" in message) == bool(doubt)


def test_two_seeds_of_two_corpora_that_differ_by_chance_are_not_explained_by_them() -> None:
    two = [c for c in CELLS if c.place.window == CELLS[0].place.window and c.place.seed < 2]
    assert len(two) == 4
    messages = []
    for seed in range(60):
        noise = np.random.default_rng(seed).normal(size=4)
        cells = [cell(c.place, float(x)) for c, x in zip(two, noise, strict=True)]
        (answer,) = answer_tests(cells, TESTS)
        assert isinstance(answer, StudyAnswer)
        messages.append(answer.sentence)
    most = [one for one in messages if "Corpus explains the most" in one]
    assert most
    assert all("which chance alone could give (Holm p = 0.33" in one for one in most)
    assert smallest_possible_p([answer]) == pytest.approx(1 / 3)


@pytest.mark.parametrize("tests", [1, 2, 5])
@pytest.mark.parametrize("seeds", [2, 3, 4])
def test_a_study_says_that_it_cannot_decide_just_where_no_p_could_be_small(
    seeds: int, tests: int
) -> None:
    """The clearest effects there are, in every test, have the smallest p that is possible."""
    selected = _asked(*[("mine", "bias")] * tests)
    cells = []
    for corpus, mean in (("news", 0.0), ("books", 1.0)):
        for seed in range(seeds):
            several = [
                cell(place(corpus, seed), mean + 0.001 * seed, each.test.id) for each in selected
            ]
            effects = tuple(effect for one in several for effect in one.effects)
            cells.append(several[0].model_copy(update={"effects": effects}))
    found = [one for one in answer_tests(cells, selected) if isinstance(one, StudyAnswer)]
    assert len(found) == tests
    for one in found:
        term = one.explained[0]
        assert term.p_holm is not None
        assert (smallest_possible_p(found) > 0.05) == (term.p_holm > 0.05)
        # What the sentence names is the number that the record, the table and the page have.
        assert ("chance alone" in one.sentence) == (term.p_holm > 0.05)
        assert ("Holm p = " in one.sentence) <= (f"{format_p(term.p_holm)}" in one.sentence)


def test_factors_of_one_share_are_both_named() -> None:
    answer = with_shares(0.41, 0.18)
    other = answer.explained[0].model_copy(update={"factors": ("dim",), "omega2": 0.407})
    both = answer.model_copy(update={"explained": (*answer.explained, other)})
    said = study_sentence(both)
    assert re.findall(r"(\d+)%", said) == ["41", "10", "90", "18"]
    assert "dimension as much" in said


# --- trends ---


WHEN = {"forties": 1945.0, "fifties": 1955.0, "sixties": 1965.0, "eighties": 1985.0, "now": 2005.0}
DATED = (
    PLAN.replace("windows = [2, 4]", "windows = [3]")
    .replace("epochs = 3", "epochs = 8")
    .replace('kind = ["kind.txt"]\nplain = ["plain.txt"]', "{}")
)


def trend_over(means: list[float], noise: float = 0.05, seed: int = 0) -> StudyTrend | None:
    """The trend of made-up cells: a mean for each corpus, two windows, three seeds."""
    generator = np.random.default_rng(seed)
    cells = [
        cell(place(corpus, number, window=window), float(generator.normal(mean, noise)))
        for corpus, mean in zip(WHEN, means, strict=True)
        for window in (2, 5)
        for number in range(3)
    ]
    (answer,) = answer_tests(cells, TESTS, WHEN)
    assert isinstance(answer, StudyAnswer)
    return answer.trend


def test_a_line_that_was_put_there_is_found() -> None:
    means = [0.01 * (year - 1945) for year in WHEN.values()]
    trend = trend_over(means, noise=0.02)
    assert trend is not None
    assert trend.slope == pytest.approx(0.01, abs=4 * trend.seed_error)
    # The times are no mirror of themselves: one order of 120 is the steepest.
    assert trend.p == trend.p_holm == trend.smallest_p == pytest.approx(1 / 120)
    assert "changes by +0.6" in trend.sentence
    assert trend.sentence.startswith("The effect rises")


def test_the_error_by_seeds_is_that_of_the_slope() -> None:
    found = [trend_over([0.0] * 5, noise=0.3, seed=seed) for seed in range(150)]
    slopes = [trend.slope for trend in found if trend]
    errors = [trend.seed_error for trend in found if trend]
    assert np.std(slopes) == pytest.approx(np.mean(errors), rel=0.2)


def test_texts_that_differ_without_order_are_a_trend_in_a_twentieth_of_cases() -> None:
    """The luck of a text is far larger than that of a seed, and counts once for each corpus."""
    generator = np.random.default_rng(1)
    found = [trend_over([*generator.normal(size=5)], seed=seed) for seed in range(400)]
    shares = [trend is not None and trend.p <= 0.05 for trend in found]
    assert np.mean(shares) == pytest.approx(0.05, abs=0.033)  # three standard errors


def _asked(*asked: tuple[str, str]) -> list[SelectedTest]:
    """The toy test in suites of several names and as tests of several kinds, in this order."""
    tests = []
    for number, (suite, kind) in enumerate(asked):
        text = SUITE.replace('id = "toy"', f'id = "{suite}"').replace(
            'id = "one"', f'id = "t{number}"'
        )
        made = parse_suite(
            text.replace("'", '"').replace('kind = "baseline"', f'kind = "{kind}"'), "toy"
        )
        tests.append(SelectedTest(made, made.tests[0]))
    return tests


def _trends_of(
    tests: list[SelectedTest], heights: list[list[float]], corpora: int
) -> list[StudyTrend]:
    """The trends of several tests over the first corpora: a mean of each test for each corpus."""
    cells = []
    for at, corpus in enumerate([*WHEN][:corpora]):
        for seed in (1, 2, 3):
            several = [
                cell(place(corpus, seed), means[at] + 0.001 * seed, each.test.id)
                for each, means in zip(tests, heights, strict=True)
            ]
            effects = tuple(effect for one in several for effect in one.effects)
            cells.append(several[0].model_copy(update={"effects": effects}))
    found = answer_tests(cells, tests, WHEN)
    return [one.trend for one in found if isinstance(one, StudyAnswer) and one.trend]


def test_a_trend_does_not_depend_on_what_else_a_study_asks() -> None:
    rising, jumping = [0.0, 0.2, 0.3, 0.7, 0.9], [0.1, -0.4, 0.3, -0.2, 0.2]
    (alone,) = _trends_of(_asked(("mine", "bias")), [rising], 5)
    several = _asked(("mine", "bias"), ("other", "bias"), ("mine", "baseline"), ("other", "bias"))
    mine, other, baseline, _ = _trends_of(several, [rising, jumping, rising, rising], 5)
    assert (alone.family, mine.family, other.family, baseline.family) == (1, 1, 2, 1)
    assert mine == alone
    assert mine.p_holm == mine.p == pytest.approx(1 / 120)
    assert mine.sentence.startswith("The effect rises")
    assert "Holm" not in mine.sentence
    assert other.family_of == "bias tests of other"
    assert "over the 2 bias tests of other" in other.sentence


@pytest.mark.parametrize("others", [1, 2, 5])
def test_a_trend_does_not_depend_on_the_other_metrics_of_a_study(others: int) -> None:
    rising = [0.0, 0.2, 0.3, 0.7, 0.9]
    tests = _asked(*[("mine", "bias")] * 2)
    cells = [
        cell(place(corpus, seed), mean + 0.001 * seed, each.test.id)
        for corpus, mean in zip(WHEN, rising, strict=True)
        for seed in (1, 2, 3)
        for each in tests
    ]
    by_place = group_by(cells, lambda one: one.place)
    metrics = ["weat", *(f"other-{number}" for number in range(others))]
    found = []
    for asked in (metrics[:1], metrics):
        merged = [
            several[0].model_copy(
                update={
                    "effects": tuple(
                        effect.model_copy(update={"metric": metric})
                        for metric in asked
                        for one in several
                        for effect in one.effects
                    )
                }
            )
            for several in by_place.values()
        ]
        answered = answer_tests(merged, tests, WHEN)
        found.append([a.trend for a in answered if isinstance(a, StudyAnswer)][:: len(asked)])
    assert found[0] == found[1]
    assert {trend.family for trend in found[1] if trend} == {2}


def test_trends_of_one_suite_and_kind_are_corrected_together() -> None:
    rising, jumping = [0.0, 0.2, 0.3, 0.7, 0.9], [0.1, -0.4, 0.3, -0.2, 0.2]
    first, second = _trends_of(_asked(*[("mine", "bias")] * 2), [rising, jumping], 5)
    assert first.p_holm == pytest.approx(2 * first.p)
    assert second.p_holm == pytest.approx(second.p)
    assert first.sentence.startswith("The effect rises")
    # Seven times one order of 120 is more than a twentieth: no order of so few could show it.
    many = _trends_of(_asked(*[("mine", "bias")] * 7), [rising] * 7, 5)
    assert {one.p_holm for one in many} == {None}
    assert "cannot show among 7 bias tests of mine" in many[0].sentence


def test_two_corpora_that_are_left_are_no_trend_and_three_say_that_they_are_few() -> None:
    names = [*WHEN][:4]
    cells = [cell(place(corpus, seed), 0.1 * seed) for corpus in names[:3] for seed in (1, 2)]
    (answer,) = answer_tests(cells, TESTS, WHEN)
    assert isinstance(answer, StudyAnswer)
    assert answer.trend is not None
    assert "So few corpora cannot show a trend" in answer.trend.sentence
    lost = [FailedCell(place=each.place, reason="lost") for each in cells[4:]]
    (answer,) = answer_tests([*cells[:4], *lost], TESTS, WHEN)
    assert isinstance(answer, StudyAnswer)
    assert answer.trend is None
    (answer,) = answer_tests(cells, TESTS)
    assert isinstance(answer, StudyAnswer)
    assert answer.trend is None


def test_texts_whose_bias_grows_give_a_trend_on_the_page(tmp_path: Path) -> None:
    write_study_files(tmp_path)
    names = [f"y{year}" for year in (1950, 1960, 1970, 1980, 1990)]
    for name, lean in zip(names, (0.3, 0.45, 0.6, 0.75, 0.95), strict=True):
        (tmp_path / f"{name}.txt").write_text(sentences(lean, int(name[1:]), lines=900))
    corpora = "\n".join(f'{name} = ["{name}.txt"]' for name in names)
    plan = tmp_path / "dated.toml"
    plan.write_text(DATED.format(corpora))
    undated = study(read_study(plan), tmp_path / "out")
    times = "\n".join(f"{name} = {name[1:]}" for name in names)
    plan.write_text(DATED.format(corpora) + f"[when]\n{times}\n")
    reports: list[str] = []
    found = study(read_study(plan), tmp_path / "out", on_remark=reports.append)
    assert reports[-1].endswith("nothing left to train.")  # a time decides nothing of a cell
    assert found.cells == undated.cells
    (before,), (answer,) = undated.answers, found.answers
    assert isinstance(answer, StudyAnswer)
    assert isinstance(before, StudyAnswer)
    assert before.trend is None
    assert before == answer.model_copy(update={"trend": None})
    assert answer.trend is not None
    assert answer.trend.slope > 0
    assert answer.trend.p == answer.trend.smallest_p == pytest.approx(2 / 120)
    assert [corpus.when for corpus in found.head.corpora] == [1950, 1960, 1970, 1980, 1990]
    write_study(found.lines, tmp_path / "out")
    assert read_study_lines(tmp_path / "out") == found.lines
    page = write_study_report(found.lines, tmp_path / "page.html").read_text(encoding="utf-8")
    assert answer.trend.sentence in page.replace("&#39;", "'")
    assert "<dt>y1950 (1950)</dt>" in page
    other = write_study_report(undated.lines, tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Over time" in page
    assert "Over time" not in other


@pytest.mark.parametrize(
    ("times", "message"),
    [
        ("kind = 1950\nplian = 1960", "not so of plain, plian"),
        ("kind = 1950\nplain = 1960", "3 corpora or more"),
        ("kind = 1950\nplain = 'now'", "when.plain"),
        ("kind = 1950\nplain = 1950-01-01", "when.plain"),
        ("kind = 1950\nplain = nan", "when.plain"),
        ("kind = 1950\nplain = true", "when.plain"),
    ],
    ids=["a slip", "two corpora", "a word", "a date", "no number", "a truth"],
)
def test_times_that_say_nothing_are_refused(times: str, message: str) -> None:
    with pytest.raises(FairvecError, match=message):
        parse_study(f"{PLAN}\n[when]\n{times}\n", "plan")


# --- balanced tables ---


PLACES = [
    place(corpus, seed, window=window)
    for corpus, window, seed in product(("news", "books", "talk"), (3, 10), (1, 2, 3))
]


def effects(without: list[CellKey]) -> dict[CellKey, CellEffect]:
    return {
        one: cell(one, number / 10).effects[0]
        for number, one in enumerate(PLACES, 1)
        if one not in without
    }


def found(without: list[CellKey]) -> BalancedTable:
    return balanced_table(PLACES, effects(without))


def test_every_effect_stands_at_its_place() -> None:
    table = found([])
    assert table.values.shape == (3, 1, 2, 1, 3)
    for one, effect in effects([]).items():
        at = tuple(table.levels[axis].index(one.level(axis)) for axis in AXES)
        assert table.values[at] == effect.effect
    assert table.left_out == ""


def test_one_missing_cell_costs_the_level_of_fewest_cells_and_is_reported() -> None:
    table = found([place("books", 2, window=3)])
    assert table.values.size == 12
    assert (
        "is left out, because the cell (books, glove, window 3, dim 10, seed 2) is"
        in table.left_out
    )


def test_a_corpus_that_failed_throughout_is_left_out_whole() -> None:
    table = found([one for one in PLACES if one.corpus == "talk"])
    assert table.levels["corpus"] == ("news", "books")
    assert table.left_out.startswith("corpus talk is left out")
    assert "and 5 more are" in table.left_out


def test_a_seed_that_failed_in_all_corpora_is_left_out() -> None:
    table = found([one for one in PLACES if one.seed == 2])
    assert table.levels["seed"] == ("1", "3")


def test_holes_without_a_common_level_are_refused_with_their_names() -> None:
    with pytest.raises(UnanswerableError) as refused:
        found([place("news", 1, window=3), place("books", 2, window=10)])
    assert refused.value.kind == "unbalanced"
    assert "news, glove, window 3, dim 10, seed 1) and 1 more are without" in str(refused.value)


@pytest.mark.parametrize("seeds", [(1, 2)], ids=["two seeds"])
def test_two_seeds_are_the_fewest_that_stay(seeds: tuple[int, ...]) -> None:
    places = [place("news", seed, window=window) for window, seed in product((3, 10), seeds)]
    some = {one: cell(one, 0.1).effects[0] for one in places[1:]}
    # Leaving out the window leaves nothing that varies; leaving out the seed leaves one seed.
    with pytest.raises(UnanswerableError):
        balanced_table(places, some)


def test_two_seeds_cannot_show_a_difference_of_two_corpora_and_four_can() -> None:
    """Two levels with n seeds: p is at least 2 / C(2n, n), that is 1/3, 1/10 and 2/70."""
    assert [seeds_needed([2], terms) for terms in (1, 2, 10)] == [4, 5, 6]
    # Two more levels of another factor are two strata: (1/3 * 1/2 * ...) falls as the square.
    assert seeds_needed([2, 2], 1) == 3
    assert seeds_needed([3], 1) == 3
