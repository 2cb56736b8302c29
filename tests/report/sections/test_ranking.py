from typing import Any

import pytest

from fairvec.experiments.provenance import describe_metric
from fairvec.metrics import metric
from fairvec.report import render
from fairvec.report.test_view import MOST_RANKED, ranked_word_label, ranking
from fairvec.results import Description, GroupCoverage, WordScore
from tests.report.lists import TESTS
from tests.report.outcomes import VERSIONS, identity, measured, model, skipped


def described(*scores: float, **changes: Any) -> Description:
    fields: dict[str, Any] = {
        "test": identity(TESTS[0]),
        "model": model("small"),
        "metric": "signed-direct-bias",
        "described": describe_metric(metric("signed-direct-bias")),
        "similarity": "cosine",
        "value": 0.0,
        "neutral": 0.0,
        "meaning": "0: to neither on the whole.",
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


TO_A = ("Lean most to female terms", "Lean most to male terms")
TO_B = TO_A[::-1]
UNNAMED = ("Smallest", "Largest")


@pytest.mark.parametrize(
    ("name", "ends"),
    [
        ("signed-direct-bias", TO_A),
        ("same-skew", TO_A),
        ("ripa", TO_A),
        ("direct-bias", TO_A),
        ("pair-bias", TO_A),
        ("gyrocosine-bias", TO_B),
        ("rnd", TO_B),
        ("mac", UNNAMED),
        ("indirect-bias", UNNAMED),
    ],
)
def test_ends_are_called_as_the_record_declares(name: str, ends: tuple[str, str]) -> None:
    about = describe_metric(metric(name))
    found = ranking(described(0.5, -0.1, 0.2, -0.3, 0.0, described=about))
    assert found is not None
    assert (found.low.title, found.high.title) == ends
    assert [word.score for word in found.low.words] == [-0.3, -0.1]
    assert [word.score for word in found.high.words] == [0.5, 0.2]


def test_prose_and_records_without_a_declaration_make_no_claim() -> None:
    prose = "Positive: the words lean to A; negative: to B; 0: to neither on the whole."
    silent = describe_metric(metric("mac"))
    for about in (None, silent):
        found = ranking(described(-1.0, 1.0, meaning=prose, described=about))
        assert found is not None
        assert (found.low.title, found.high.title) == UNNAMED


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
    assert [word.score for word in found.low.words] == list(range(-40, -40 + MOST_RANKED))
    assert [word.score for word in found.high.words] == list(range(40, 40 - MOST_RANKED, -1))


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
    assert ranked_word_label(word) == "नर्स · “nurse” · −0.250"


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
