from fairvec.report import render
from fairvec.report.sections.steadiness import about_robustness
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
    draws, swap, frequency = about_robustness(tried())
    draws = draws.replace("\N{NO-BREAK SPACE}", " ")
    assert "between 0.40 and 1.60 in 95 % of the draws" in draws
    assert "sign in 100 %" in draws
    assert swap == "With the a and b of other/one: d = −0.50, p = 0.040."
    assert frequency.endswith("d = +0.25, p = 0.30: frequency does not explain the effect.")
    assert about_robustness(tried(explains=True))[2].endswith("frequency may explain the effect.")


def test_there_is_nothing_to_explain_without_evidence() -> None:
    silent = measured(p=0.6).model_copy(update={"robustness": tried().robustness})
    assert about_robustness(silent)[2].endswith("p = 0.30.")


def test_what_was_not_tried_is_not_told() -> None:
    assert about_robustness(measured()) == []
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
