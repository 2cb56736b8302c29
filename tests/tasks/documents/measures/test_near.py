"""What stands near whom: counted by sentences, tested exactly."""

from math import log2

import numpy as np
import pytest
from scipy.stats import fisher_exact

from fairvec.documents.measure import Sample, co_occurrences, match_document, near_figures
from fairvec.languages.people import people_lists
from fairvec.languages.text import parse_document
from fairvec.results import DocumentFigure
from tests.results.documents import IDENTITY

LISTS = people_lists("en")
NURSES = "He runs. " * 8 + "She is a nurse. " * 6 + "He and she are brave. The nurse sleeps. " * 3


def texts(*written: str) -> Sample:
    return Sample(tuple(match_document(parse_document(text, "en")) for text in written))


def figures(*written: str) -> dict[str, DocumentFigure]:
    found = near_figures(IDENTITY, texts(*written), LISTS)
    return {f"{one.measure} {one.what}": one for one in found}


def test_sentences_of_one_group_are_counted_once_each() -> None:
    (found,) = co_occurrences(texts(NURSES + "She, she and her nurse: nurse."))
    assert (found.word, found.near_a, found.near_b) == ("nurse", 0, 7)
    assert (found.only_a, found.only_b) == (8, 7)
    assert found.score == pytest.approx(log2((0.5 / 9) / (7.5 / 8)))


def test_p_is_fishers_and_the_sign_is_the_side() -> None:
    found = figures(NURSES)["near nurse"]
    assert found.p == pytest.approx(fisher_exact(np.array([[0, 8], [6, 0]]))[1])
    assert found.p_holm == found.p
    assert found.value < 0
    apart = NURSES.replace("He and she are brave. ", "")
    mirrored = apart.replace("He ", "X ").replace("She ", "He ").replace("X ", "She ")
    assert figures(mirrored)["near nurse"].value == pytest.approx(-found.value)


def test_a_word_too_rare_to_decide_has_no_p_and_costs_the_others_nothing() -> None:
    found = figures(NURSES + "He is a pilot. ")
    assert found["near pilot"].p is None
    assert "too seldom" in found["near pilot"].sentence
    assert found["near nurse"].p_holm == found["near nurse"].p


def test_the_overall_figure_stands_beside_what_chance_gives() -> None:
    found = figures(NURSES)
    near, overall = found["near nurse"], found["near-overall all"]
    assert overall.value == pytest.approx(abs(near.value))
    generator = np.random.default_rng(0)
    drawn = generator.hypergeometric(8, 6, 6, 20_000)
    scores = np.abs(np.log2(((drawn + 0.5) / 9) / ((6 - drawn + 0.5) / 7)))
    assert overall.neutral == pytest.approx(scores.mean(), abs=0.02)


def test_without_sentences_of_both_groups_there_is_nothing_to_compare() -> None:
    assert figures("He is a nurse. He is brave.") == {}
    assert figures("It rained.") == {}


def test_under_the_null_hardly_any_text_has_a_word_that_leans() -> None:
    generator = np.random.default_rng(5)
    words = ["nurse", "pilot", "brave", "kind", "judge"]
    erred = 0
    for _ in range(200):
        people = generator.choice(["He", "She"], 60)
        jobs = generator.choice(words, 60)
        text = " ".join(f"{who} met a {job}." for who, job in zip(people, jobs, strict=True))
        found = figures(text).values()
        erred += any(one.p_holm is not None and one.p_holm <= 0.05 for one in found)
    assert erred / 200 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)
