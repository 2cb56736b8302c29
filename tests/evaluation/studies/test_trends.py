from pathlib import Path

import numpy as np
import pytest

from fairvec.core.errors import FairvecError
from fairvec.experiments.study.answers import answer_tests
from fairvec.experiments.study.plan import parse_study, read_study
from fairvec.experiments.study.study import study
from fairvec.lexicon.suite_files import SelectedTest, parse_suite
from fairvec.report import write_study_report
from fairvec.results import FailedCell, StudyAnswer, StudyTrend, read_study_lines, write_study
from tests.evaluation.studies.toy import PLAN, SUITE, cell, place, sentences, write_study_files

_SUITE = parse_suite(SUITE.replace("'", '"'), "toy")
TESTS = [SelectedTest(_SUITE, test) for test in _SUITE.tests]
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
    assert trend.sentence.startswith("From 1945 to 2005 the effect changes by +0.6")
    assert "more than chance" in trend.sentence


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
    assert "more than chance" in mine.sentence
    assert "Holm" not in mine.sentence
    assert other.family_of == "bias tests of other"
    assert "over the 2 bias tests of other)" in other.sentence


def test_trends_of_one_suite_and_kind_are_corrected_together() -> None:
    rising, jumping = [0.0, 0.2, 0.3, 0.7, 0.9], [0.1, -0.4, 0.3, -0.2, 0.2]
    first, second = _trends_of(_asked(*[("mine", "bias")] * 2), [rising, jumping], 5)
    assert first.p_holm == pytest.approx(2 * first.p)
    assert second.p_holm == pytest.approx(second.p)
    assert "more than chance" in first.sentence
    # Seven times one order of 120 is more than a twentieth: no order of so few could show it.
    many = _trends_of(_asked(*[("mine", "bias")] * 7), [rising] * 7, 5)
    assert {one.p_holm for one in many} == {None}
    assert "which so few corpora cannot show among the 7 bias tests of mine (p " in many[0].sentence


def test_two_corpora_that_are_left_are_no_trend_and_three_say_that_they_are_few() -> None:
    names = [*WHEN][:4]
    cells = [cell(place(corpus, seed), 0.1 * seed) for corpus in names[:3] for seed in (1, 2)]
    (answer,) = answer_tests(cells, TESTS, WHEN)
    assert isinstance(answer, StudyAnswer)
    assert answer.trend is not None
    assert "so few corpora cannot show a trend" in answer.trend.sentence
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
    told: list[str] = []
    found = study(read_study(plan), tmp_path / "out", told=told.append)
    assert told[-1].endswith("nothing is left to train.")  # a time decides nothing of a cell
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
    ("times", "said"),
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
def test_times_that_say_nothing_are_refused(times: str, said: str) -> None:
    with pytest.raises(FairvecError, match=said):
        parse_study(f"{PLAN}\n[when]\n{times}\n", "plan")
