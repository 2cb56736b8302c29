from itertools import product

import numpy as np
import pytest

from fairvec.experiments.study import answers
from fairvec.experiments.study.answers import answer_tests
from fairvec.lexicon.suite_files import SelectedTest, parse_suite
from fairvec.results import CellGap, FailedCell, RefusedAnswer, StudyAnswer
from fairvec.stats import anova_table, holm
from tests.evaluation.studies.toy import SUITE, cell, place

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
    assert answer.sentence.startswith("Corpus explains most: ")


def test_the_sentence_does_not_praise_a_factor_that_seeds_outdo() -> None:
    noise = np.random.default_rng(5).normal(size=18)
    (answer,) = answer_tests(
        [cell(c.place, float(x)) for c, x in zip(CELLS, noise, strict=True)], TESTS
    )
    assert isinstance(answer, StudyAnswer)
    assert answer.sentence.startswith("Seeds alone make ")


def test_p_is_corrected_over_the_study() -> None:
    (answer,) = answer_tests(CELLS, TESTS)
    assert isinstance(answer, StudyAnswer)
    raw = [one.p for one in answer.explained if one.p is not None]
    corrected = [one.p_holm for one in answer.explained if one.p_holm is not None]
    assert corrected == pytest.approx(holm(np.array(raw)).tolist())


def test_a_failed_cell_is_said_and_a_hole_without_remedy_refuses_the_test() -> None:
    lost = FailedCell(place=CELLS[0].place, reason="It ran away.")
    (answer,) = answer_tests([lost, *CELLS[1:]], TESTS)
    assert isinstance(answer, StudyAnswer)
    assert "is left out" in answer.left_out
    other = FailedCell(place=CELLS[-1].place, reason="It ran away.")
    (refused,) = answer_tests([lost, *CELLS[1:-1], other], TESTS)
    assert isinstance(refused, RefusedAnswer)


def test_a_test_that_no_cell_answers_is_refused() -> None:
    gap = CellGap(test="toy/one", metric="weat", reason="Words are missing.")
    without_remedy = [cell(one.place, None).model_copy(update={"gaps": (gap,)}) for one in CELLS]
    (refused,) = answer_tests(without_remedy, TESTS)
    assert isinstance(refused, RefusedAnswer)
    assert refused.reason == "No cell gives an effect: Words are missing."


def test_equal_effects_have_nothing_to_explain() -> None:
    (refused,) = answer_tests([cell(one.place, 0.5) for one in CELLS], TESTS)
    assert isinstance(refused, RefusedAnswer)
    assert "nothing to explain" in refused.reason


def test_factors_that_act_together_are_named_together() -> None:
    turned = np.random.default_rng(2).normal(size=(2, 3, 3)) * 0.05
    turned[0] += np.array([-1.0, 0.0, 1.0])[:, None]
    turned[1] -= np.array([-1.0, 0.0, 1.0])[:, None]
    cells = [cell(one.place, float(x)) for one, x in zip(CELLS, turned.ravel(), strict=True)]
    (answer,) = answer_tests(cells, TESTS)
    assert isinstance(answer, StudyAnswer)
    assert answer.sentence.startswith("Corpus and window together explain most: ")


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
    ("factor", "seeds", "said"),
    [
        (0.401, 0.404, "Corpus explains as much as seeds alone: 40% of the variance (10% to 90%);"),
        (0.404, 0.401, "Corpus explains as much as seeds alone: 40% of the variance (10% to 90%);"),
        (0.39, 0.41, "Seeds alone make 41% of the variance, more than any factor (corpus 39%);"),
        (0.41, 0.39, "Corpus explains most: 41% of the variance (10% to 90%), seeds 39%;"),
    ],
    ids=["just less", "just more", "less", "more"],
)
def test_the_sentence_claims_no_more_than_its_numbers_show(
    factor: float, seeds: float, said: str
) -> None:
    assert answers._sentence(with_shares(factor, seeds)).startswith(said)


@pytest.mark.parametrize("shares", [(0.41, 0.39), (0.401, 0.404)], ids=["most", "as much"])
@pytest.mark.parametrize(
    ("p", "low", "doubt"),
    [
        (1 / 3, 0.0, ", which chance alone could make (p = 0.33)"),
        (0.06, 0.1, ", which chance alone could make (p = 0.060)"),
        (None, 0.004, ", which chance alone could make"),
        (0.05, 0.0, ""),
        (None, 0.1, ""),
    ],
    ids=["two seeds", "p above the level", "no p, from 0 on", "p at the level", "surely some"],
)
def test_a_share_that_chance_could_make_is_said_to_be_so(
    shares: tuple[float, float], p: float | None, low: float, doubt: str
) -> None:
    answer = with_shares(*shares)
    first = answer.explained[0].model_copy(update={"p": p, "low": low})
    said = answers._sentence(answer.model_copy(update={"explained": (first,)}))
    assert f" of the variance ({low:.0%} to 90%){doubt}" in said
    assert ("chance" in said) == bool(doubt)


def test_two_seeds_of_two_corpora_that_differ_by_chance_are_not_explained_by_them() -> None:
    two = [c for c in CELLS if c.place.window == CELLS[0].place.window and c.place.seed < 2]
    assert len(two) == 4
    said = []
    for seed in range(60):
        noise = np.random.default_rng(seed).normal(size=4)
        cells = [cell(c.place, float(x)) for c, x in zip(two, noise, strict=True)]
        (answer,) = answer_tests(cells, TESTS)
        assert isinstance(answer, StudyAnswer)
        said.append(answer.sentence)
    most = [one for one in said if "Corpus explains" in one]
    assert most
    assert all("which chance alone could make (p = " in one for one in most)


def test_factors_of_one_share_are_both_named() -> None:
    answer = with_shares(0.41, 0.18)
    other = answer.explained[0].model_copy(update={"factors": ("dim",), "omega2": 0.407})
    both = answer.model_copy(update={"explained": (*answer.explained, other)})
    assert answers._sentence(both).startswith(
        "Corpus explains most: 41% of the variance (10% to 90%), dimension as much, seeds 18%;"
    )
