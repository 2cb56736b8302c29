import re

import pytest

from fairvec.ground.errors import SettingError
from fairvec.report import render_frontier
from fairvec.report.sections.frontier import SHAPES, TONES, mark_of, warnings
from fairvec.results import Survey, Unseen, UnseenFold, Untried
from tests.results.points import MODEL, effect, point

SURVEY = Survey(
    model=MODEL,
    concept="en/gender:pairs",
    tests=("toy/one",),
    others=(),
    keep=0.95,
    seed=0,
    recommendation="hard at 1. It <keeps> most.",
    remarks=("All words were used to fit.",),
    versions={"fairvec": "0"},
)
POINTS = [
    point("none", 1.0, 1.0, strength=0.0, on_front=True),
    point("hard", 0.2, 0.97, on_front=True, recommended=True, reason="It keeps most."),
    point("lpsg", 0.1, 0.90, effects=(effect(1.0, -1.1, "reversed"),), on_front=True),
    point("inlp", 0.5, 0.80, held_out=False),
]


def test_the_page_says_what_was_found() -> None:
    gap = Untried(model=MODEL, concept="en/gender:pairs", method="ran", reason="No <words>.")
    page = render_frontier([SURVEY, *POINTS, gap])
    assert "It &lt;keeps&gt; most." in page
    assert "All words were used to fit." in page
    assert "No &lt;words&gt;." in page
    assert page.count('class="spot"') == len(POINTS)
    assert (page.count('class="ring"'), page.count('class="warning"')) == (1, 1)
    assert page.count('class="front"') == 2 * 2  # two steps of the stair
    front = page[page.index('<section id="front">') : page.index('<section id="points">')]
    assert re.findall(r"the model as it is|(?:hard|lpsg|inlp) at 1", front) == [
        "the model as it is",
        "hard at 1",
        "lpsg at 1",
    ]
    assert "https://" not in page


def test_the_page_shows_every_fold_and_what_was_chosen_without_it() -> None:
    folds = (
        UnseenFold(tests=("toy/<one>",), chosen="hard at 1", before=1.2, left=0.6, harmed=()),
        UnseenFold(tests=("toy/two",), chosen="", before=0.4, left=0.4, harmed=()),
        UnseenFold(tests=("toy/3",), chosen="inlp at 1", before=0.8, left=0.9, harmed=("toy/3",)),
    )
    judged = Unseen(apart="targets-anywhere", clean=True, folds=folds, share=0.79)
    page = render_frontier([SURVEY.model_copy(update={"unseen": judged}), *POINTS])
    section = page[page.index('<section id="unseen">') : page.index('<section id="front">')]
    texts = ("toy/&lt;one&gt;", "hard at 1", "50\N{NO-BREAK SPACE}%", "nothing", "All folds")
    assert all(text in section for text in texts)
    assert "that share no target word, only attributes" in section
    assert section.count("HARMED") == 1
    assert "79\N{NO-BREAK SPACE}%" in section
    assert 'id="unseen"' not in render_frontier([SURVEY, *POINTS])


def test_warnings_say_the_worst_first() -> None:
    harmful = POINTS[2].model_copy(update={"calibrated": True, "held_out": False})
    assert warnings(harmful) == [
        "REVERSED toy/one",
        "fitted on tested words",
        "calibrated on these tests",
    ]
    assert warnings(POINTS[1]) == []


def test_methods_look_apart() -> None:
    every = [mark_of(place) for place in range(len(SHAPES) * TONES)]
    assert len({*every}) == len(every)


def test_lines_without_a_survey_are_refused() -> None:
    with pytest.raises(SettingError, match="one survey"):
        render_frontier(POINTS)
