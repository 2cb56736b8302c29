"""The concept and rankings on the page."""

import re
from typing import Any

import pytest

from fairvec.experiments.provenance import describe_metric
from fairvec.messages.test_details import components_sentence
from fairvec.metrics import metric
from fairvec.report import as_csv, as_latex, audit_table, render
from fairvec.report.test_view import MOST_RANKED, marks, ranking, views
from fairvec.results import Outcome
from fairvec.results.records import Component, Description, GroupCoverage, ProjectedWord, WordScore
from tests.report.browser import BROWSER, measurements
from tests.report.helpers import Page
from tests.report.outcomes import TESTS, VERSIONS, a_run, identity, model, skipped
from tests.report.outcomes import measured as measured_ranking
from tests.results.toys import compared, measured, viewed

# --- concept ---


ATTACK = '<script>alert(1)</script>" onload="alert(2)'
HINDI = ProjectedWord(
    word="नर्स",
    key="नर्स",
    kind="neutral",
    x=-0.3,
    y=0.21,
    x_after=0.011,
    transliteration="nars",
    gloss="nurse",
)


def crowd() -> tuple[ProjectedWord, ...]:
    """Sixty words, half of them in Devanagari, in two clouds."""
    return tuple(
        ProjectedWord(
            word=("महिलाओं" if n % 2 else "engineer") + str(n),
            key=str(n),
            kind="neutral" if n % 3 else "listed",
            x=0.05 * ((n * 37) % 11 - 5),
            y=0.03 * ((n * 53) % 17 - 6),
            x_after=0.01,
        )
        for n in range(60)
    )


@pytest.fixture(scope="module")
def text() -> str:
    return render([measured(), compared(), viewed()])


def test_the_section_follows_the_change_and_exists_only_with_a_view(text: str) -> None:
    page = Page(text)
    assert page.open == []
    assert text.index('id="change"') < text.index('id="concept"') < text.index('id="answer"')
    assert ("a", {"href": "#concept"}) in page.tags
    assert 'id="concept"' not in render([measured(), compared()])
    assert views([measured(), viewed()]) == [viewed()]


def test_pairs_are_compared_with_random_ones(text: str) -> None:
    sentence = components_sentence(viewed()).replace("\N{NO-BREAK SPACE}", " ")
    assert re.findall(r"\d[\d.,]*", sentence) == ["80", "2", "55", "65", "97.5", "1,000"]
    assert sentence in Page(text).text.replace("\N{NO-BREAK SPACE}", " ")
    assert "he–she, man–woman" in Page(text).text


def test_every_word_is_in_the_drawing_and_in_the_table(text: str) -> None:
    section = text[text.index('id="concept"') : text.index('id="answer"')]
    assert section.count("<circle") == 3
    assert section.count('class="way ') == 3
    for name in ("Listed as specific", "Classified as specific", "Neutral"):
        assert f"<b>{name}</b>" in section
    assert "<td>−0.300</td><td>+0.010</td><td>+0.200</td>" in section


def test_without_a_change_none_is_mentioned() -> None:
    page = render([measured(), viewed(changed=False)])
    assert 'class="way ' not in page
    assert "After the change" not in page
    assert "where the change took a word" not in page


def test_words_with_the_largest_leanings_are_placed_first() -> None:
    assert [mark.text for mark in marks(viewed())] == ["he", "nurse", "king"]
    assert [mark.kind for mark in marks(viewed())][1] == "neutral negative"


def test_names_are_text_and_not_html() -> None:
    nasty = HINDI.model_copy(update={"word": ATTACK, "gloss": ATTACK, "transliteration": ATTACK})
    view = viewed((nasty,)).model_copy(
        update={"axis": (ATTACK, ATTACK), "pairs": ((ATTACK, ATTACK),), "plane": ATTACK}
    )
    page = Page(render([measured(), view]))
    assert [tag for tag, _ in page.tags].count("script") == 1
    assert not any(name.startswith("on") for _, attributes in page.tags for name in attributes)


def test_a_view_is_no_test_of_a_suite(text: str) -> None:
    assert "1 test from 1 suite put to" in Page(text).text
    outcomes: list[Outcome] = [measured(), viewed()]
    assert as_latex(outcomes) == as_latex([measured()])
    assert len(audit_table(outcomes).rows) == len(audit_table([measured()]).rows)
    assert len(as_csv(outcomes).splitlines()) == 3


def test_one_component_and_no_words_are_drawn_too() -> None:
    only = (Component(share=1.0, by_chance=1.0, by_chance_high=1.0),)
    page = Page(render([viewed(()).model_copy(update={"components": only})]))
    assert page.open == []


@pytest.mark.browser
@pytest.mark.skipif(BROWSER is None, reason="neither chromium nor google-chrome is on the PATH")
def test_words_do_not_overlap_and_stay_inside_on_a_phone_and_a_screen() -> None:
    plain = measurements(render(a_run()), (360, 768, 1280), "light")
    measured_widths = measurements(render([*a_run(), viewed(crowd())]), (360, 768, 1280), "light")
    for width, one in measured_widths.items():
        assert (one["overflow"], one["errors"], one["clashes"], one["outside"]) == (0, [], [], [])
        assert one["labels"] > plain[width]["labels"] + 10


def test_a_view_without_components_or_words_still_has_a_page() -> None:
    """Records may be a stranger's, or put together by hand."""
    nothing = Component(share=0.0, by_chance=0.0, by_chance_high=0.0)
    for components in ((), (nothing,), (nothing, nothing)):
        page = render([viewed().model_copy(update={"components": components})])
        assert ("What the pairs share" in page) is bool(components)
        assert "Specific words and neutral ones" in page


# --- ranking ---


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
    movement = described(1.0, test=identity(TESTS[0], kind="movement"))
    assert ranking(movement) is None
    assert '<details class="ranking">' not in render([movement])


def test_the_page_shows_a_ranking_for_each_model() -> None:
    page = render([described(-1.0, 1.0), described(-1.0, 1.0, model=model("other"))])
    assert page.count('<details class="ranking">') == 2
    assert "Lean most to female terms" in page
    assert "<summary>2 words in order: " in page


def opening(page: str) -> str:
    return page.split('<table class="plain asked">')[1].split("</table>")[0]


def test_models_that_are_only_described_open_the_page_too() -> None:
    small = [described(1.0), described(1.0, metric="mac")]
    rows = opening(render([*small, measured_ranking(model("asked"), TESTS[0])]))
    assert rows.index("asked") < rows.index("small")
    assert rows.count("<tr>") == 3
    assert opening(render(small)).count("1 test") == 1


def test_a_test_that_one_measure_could_describe_was_not_skipped() -> None:
    gap = skipped(model("small"), TESTS[0], convention=None, metric="mac")
    assert "skipped" not in opening(render([described(1.0), gap]))
    assert "1 test, 1 skipped" in opening(render([gap, described(1.0, model=model("other"))]))
