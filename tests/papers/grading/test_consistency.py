from math import erfc, sqrt

import numpy as np
import pytest

from fairvec.papers import load_paper, parse_paper
from fairvec.papers.grades import Mismatch, d_p_mismatches
from fairvec.stats import permutation_test
from tests.papers.test_reproducing import effect, one_cell


def doubt_about(text: str) -> Mismatch | None:
    return next(iter(d_p_mismatches(parse_paper(one_cell(text))).values()), None)


def test_the_papers_own_misfits() -> None:
    found = {
        (cell.table, cell.row, cell.column)
        for name in ("kumar2020", "malik2022", "pestova", "bharti2021")
        for cell, doubt in d_p_mismatches(load_paper(name)).items()
        if doubt.is_clear
    }
    hard = "Hard Debiasing, Gen. words, verbs"
    assert found == {
        ("table-4", "gendered verbs", hard),
        ("table-4", "gendered titles", hard),
        ("table-4.1", "B1: career vs family", "Wikipedia2016 ft"),
        ("table-4.1", "B1: career vs family", "Bollywood lyrics"),
        ("table-4.1", "B2: maths vs arts", "Bollywood lyrics"),
    }


def test_what_another_permutation_explains_is_said_and_is_no_contradiction() -> None:
    found = {
        (cell.row, cell.column): doubt
        for cell, doubt in d_p_mismatches(load_paper("malik2022")).items()
        if not doubt.is_clear
    }
    assert found["gendered entities", "Hard Debiasing, Gen. words, verbs"].text == (
        "d = 0.45 and p = 0.17 belong together if words were permuted, not if sentences were "
        "(normal approximation)."
    )
    assert {column for _, column in found} == {
        "Hard Debiasing, Gen. words",
        "Hard Debiasing, Gen. words, verbs",
    }


def test_the_note_gives_the_normal_approximation() -> None:
    """Eight words a side: z = d sqrt(8 8 / 16) sqrt(15 / 16)."""
    expected = erfc(0.8 * 2 * sqrt(15 / 16) / sqrt(2)) / 2
    doubt = doubt_about("0.8 0.6")
    assert doubt
    assert doubt.is_clear
    assert doubt.text == (
        f"d = 0.8 goes with p near {expected:.2g} (normal approximation), not with 0.6."
    )


def test_a_sign_that_contradicts_p_is_found() -> None:
    assert doubt_about("-0.80 0.07")
    assert not doubt_about("0.80 0.07")


def test_without_two_numbers_there_is_no_doubt() -> None:
    assert not doubt_about("- 0.0")


@pytest.mark.parametrize("size", [7, 8])
def test_a_true_pair_is_never_doubted(size: int) -> None:
    """Exact p of random leanings, shifted from nothing to far apart."""
    random = np.random.default_rng(size)
    test = {7: "malik2022/caste-adjectives", 8: "kumar2020/b1"}[size]
    suite, _, name = test.partition("/")
    for shift in np.linspace(-3, 3, 25):
        x, y = random.normal(size=size) + shift, random.normal(size=size)
        p = permutation_test(x, y, sides="greater").value
        text = one_cell(f"{effect(x, y, ddof=0):.4f} {p:.4f}")
        text = text.replace('suite = "kumar2020"', f'suite = "{suite}"')
        assert not d_p_mismatches(parse_paper(text.replace('test = "b1"', f'test = "{name}"')))
