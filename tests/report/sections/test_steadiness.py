from fairvec.report import render
from fairvec.report.test_view import robustness_notes, robustness_rows, robustness_scale
from fairvec.results import Description, FrequencyControl, Result, Robustness, Swap
from tests.results.make import measured


def tried(explains: bool = False) -> Result:
    frequency = FrequencyControl(correlation=0.5, effect=0.25, p=0.3, explains=explains)
    swap = Swap(lists=("a", "b"), source="other/one", effect=-0.5, p=0.04)
    robustness = Robustness(
        draws=200,
        kept=0.8,
        low=0.4,
        high=1.6,
        same_sign=1.0,
        significant=0.655,
        swaps=(swap,),
        frequency=frequency,
    )
    return measured().model_copy(update={"robustness": robustness})


def test_every_look_is_told() -> None:
    draws, swap, frequency = robustness_notes(tried())
    draws = draws.replace("\N{NO-BREAK SPACE}", " ")
    assert "between 0.40 and 1.60 in 95 % of the draws" in draws
    assert "sign in 100 %" in draws
    assert swap == "With the a and b of other/one: d = −0.50, p = 0.040."
    assert frequency.endswith("d = +0.25, p = 0.30: frequency does not explain the effect.")
    assert robustness_notes(tried(explains=True))[2].endswith("frequency may explain the effect.")


def test_there_is_nothing_to_explain_without_evidence() -> None:
    silent = measured(p=0.6).model_copy(update={"robustness": tried().robustness})
    assert robustness_notes(silent)[2].endswith("p = 0.30.")


def test_evidence_that_is_lost_while_the_effect_stays_is_not_explained() -> None:
    """At equal frequency 0.25 of 1 is little, and of 0.4 more than half."""
    small = tried(explains=True).model_copy(update={"effect": 0.4})
    assert robustness_notes(small)[2].endswith(
        "p = 0.30: the evidence is lost, half of the effect or more is left."
    )


def expecting(share: float | None, result: Result) -> Result:
    assert result.robustness is not None
    told = result.robustness.model_copy(update={"expected": share})
    return result.model_copy(update={"robustness": told})


def test_shorter_lists_are_told_beside_what_they_could_show() -> None:
    draws = robustness_notes(expecting(0.723, tried()))[0].replace("\N{NO-BREAK SPACE}", " ")
    assert draws.endswith("alone in 65.5 %, about 72 % expected of lists so short.")
    assert "expected" not in robustness_notes(expecting(None, tried()))[0]
    silent = measured(p=0.6).model_copy(update={"robustness": tried().robustness})
    assert "expected" not in robustness_notes(expecting(0.01, silent))[0]


def test_every_look_is_a_row_in_the_order_of_the_sentences() -> None:
    found, shorter, other, frequent = robustness_rows(tried())
    assert (found.at, found.ends, found.evident) == (1.0, (0.0, 2.0), True)
    assert (shorter.at, shorter.ends) == (None, (0.4, 1.6))
    assert (other.label, other.note) == ("other/one", "a and b")
    assert (other.at, other.evident) == (-0.5, True)
    assert (frequent.at, frequent.evident) == (0.25, False)
    titles = [row.title.replace("\N{NO-BREAK SPACE}", " ") for row in robustness_rows(tried())]
    assert titles == [
        "With all words: d = +1.00, p = 0.010, 95 % interval 0.00 to 2.00",
        "Shorter lists: d mostly from +0.40 to +1.60, significant in 65.5 %",
        "a and b of other/one: d = −0.50, p = 0.040",
        "At equal word frequency: d = +0.25, p = 0.30",
    ]
    assert robustness_rows(measured()) == []


def test_the_axis_holds_what_lies_far_out() -> None:
    far = tried().model_copy(update={"effect": -3.1})
    axis = robustness_scale(far, robustness_rows(far))
    assert axis.low <= -3.1
    assert axis.high >= 2


def test_the_page_draws_a_row_a_look_with_its_title() -> None:
    page = render([tried()])
    figure = page.partition('<figure class="looks"')[2].partition("</figure>")[0]
    assert figure.count('<svg class="track') == 4
    for row in robustness_rows(tried()):
        assert f"<title>{row.title}</title>" in figure
    assert 'class="looks"' not in render([measured()])


def test_what_was_not_tried_is_not_told() -> None:
    assert robustness_notes(measured()) == []
    assert "With other words" not in render([measured()])
    assert "With other words" in render([tried()])


def described() -> Description:
    shared = measured().model_dump(include={"test", "model", "coverage", "seed", "versions"})
    return Description(
        **shared,
        metric="direct-bias",
        similarity="cosine",
        value=0.0805,
        neutral=0.0,
        meaning="Large: words lean.",
        interval=measured().interval,
        words=(),
    )


def test_measures_without_a_test_have_their_own_section() -> None:
    page = render([measured(), described()])
    assert "Other measures" in page
    assert "0.081" in page
    assert "Large: words lean." in page
    assert "Other measures" not in render([measured()])


def test_a_page_may_hold_measures_alone() -> None:
    page = render([described()])
    assert "Other measures" in page
    assert 'id="answer"' not in page
