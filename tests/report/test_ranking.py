from typing import Any

import pytest

from fairvec.metrics import METRICS
from fairvec.report import render
from fairvec.report.ranking import MOST, about_word, ranking
from fairvec.results import Description, GroupCoverage, WordScore
from tests.report.lists import TESTS
from tests.report.outcomes import VERSIONS, identity, measured, model, skipped

TO_A = "Positive: the words lean to A; negative: to B; 0: to neither on the whole."
TO_B = "Positive: the words are nearer to B; negative: nearer to A; 0: to neither."
UNSIGNED = "0: every word is equally near to both words of each pair; larger: it is not."


def described(*scores: float, **changes: Any) -> Description:
    fields: dict[str, Any] = {
        "test": identity(TESTS[0]),
        "model": model("small"),
        "metric": "signed-direct-bias",
        "similarity": "cosine",
        "value": 0.0,
        "neutral": 0.0,
        "meaning": TO_A,
        "interval": None,
        "words": [
            WordScore(word=f"w{at}", key=f"w{at}", role="words", score=score)
            for at, score in enumerate(scores)
        ],
        "coverage": [
            GroupCoverage(
                role=role, title=title, wanted=1, found=1, missing={}, matched={}, how={}, merged=()
            )
            for role, title in (("a", "male terms"), ("b", "female terms"))
        ],
        "seed": 0,
        "versions": VERSIONS,
    }
    return Description(**fields | changes)


@pytest.mark.parametrize(
    ("meaning", "low", "high"),
    [
        (TO_A, "Lean most to female terms", "Lean most to male terms"),
        (TO_B, "Lean most to male terms", "Lean most to female terms"),
        (UNSIGNED, "Smallest", "Largest"),
    ],
)
def test_ends_are_called_as_the_meaning_says(meaning: str, low: str, high: str) -> None:
    found = ranking(described(0.5, -0.1, 0.2, -0.3, 0.0, meaning=meaning))
    assert found is not None
    assert (found.low.title, found.high.title) == (low, high)
    assert [word.score for word in found.low.words] == [-0.3, -0.1]
    assert [word.score for word in found.high.words] == [0.5, 0.2]


def test_every_registered_meaning_with_signs_names_its_sides() -> None:
    signed = {each.name: each.meaning for each in METRICS if "Positive: the w" in each.meaning}
    assert {"signed-direct-bias", "gyrocosine-bias", "rnd", "ripa", "same-skew"} <= signed.keys()
    for name, meaning in signed.items():
        found = ranking(described(-1.0, 1.0, meaning=meaning))
        assert found is not None
        assert found.high.title.startswith("Lean most to"), name


def test_numbers_of_one_sign_have_a_larger_and_a_smaller_half() -> None:
    found = ranking(described(3.0, 1.0, 2.0))
    assert found is not None
    assert not found.centred
    assert (found.low.title, found.high.title) == ("Smallest", "Largest")
    assert [word.score for word in found.low.words] == [1.0]
    assert [word.score for word in found.high.words] == [3.0, 2.0]


def test_only_the_outermost_words_are_named() -> None:
    found = ranking(described(*range(-40, 41)))
    assert found is not None
    assert len(found.words) == 81
    assert [word.score for word in found.low.words] == list(range(-40, -40 + MOST))
    assert [word.score for word in found.high.words] == list(range(40, 40 - MOST, -1))


def test_what_has_no_number_for_every_word_is_not_ranked() -> None:
    assert ranking(described()) is None
    moved = described(1.0, test=identity(TESTS[0], kind="movement"))
    assert ranking(moved) is None
    assert '<details class="ranking">' not in render([moved])


def test_the_page_shows_a_ranking_for_each_model() -> None:
    page = render([described(-1.0, 1.0), described(-1.0, 1.0, model=model("other"))])
    assert page.count('<details class="ranking">') == 2
    assert "Lean most to female terms" in page
    assert "<summary>2 words in order: " in page


def test_a_word_is_told_with_its_gloss() -> None:
    word = WordScore(word="नर्स", key="नर्स", role="words", score=-0.25, gloss="nurse")
    assert about_word(word) == "नर्स · “nurse” · −0.250"


def opening(page: str) -> str:
    return page.split('<table class="plain asked">')[1].split("</table>")[0]


def test_models_that_are_only_described_open_the_page_too() -> None:
    small = [described(1.0), described(1.0, metric="mac")]
    rows = opening(render([*small, measured(model("asked"), TESTS[0])]))
    assert rows.index("asked") < rows.index("small")
    assert rows.count("<tr>") == 3
    assert opening(render(small)).count("1 test") == 1


def test_a_test_that_one_measure_could_describe_was_not_skipped() -> None:
    gap = skipped(model("small"), TESTS[0], convention=None, metric="mac")
    assert "skipped" not in opening(render([described(1.0), gap]))
    assert "1 test, 1 skipped" in opening(render([gap, described(1.0, model=model("other"))]))
