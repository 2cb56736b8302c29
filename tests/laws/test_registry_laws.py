"""Laws of every registered metric as users meet it: by name, through an audit."""

import pytest

import fairvec
from fairvec.metrics import METRICS, Metric, metric
from fairvec.results import Description, Result, Skipped

SMALL = fairvec.load("glove-en-small")
every_metric = pytest.mark.parametrize("known", METRICS, ids=lambda known: known.name)


def test_names_are_unique_and_found() -> None:
    names = [known.name for known in METRICS]
    assert len(set(names)) == len(names)
    assert [metric(name).name for name in names] == names


@every_metric
def test_a_metric_explains_itself(known: Metric) -> None:
    assert known.meaning.endswith(".")
    assert set(known.needs) <= {"x", "y", "words", "a", "b"}


@every_metric
def test_an_audit_by_name_answers_or_says_why_not(known: Metric) -> None:
    tests = "caliskan2017/weat-7" if "x" in known.needs else "bolukbasi2016"
    outcome, *answers = fairvec.audit(SMALL, suites=tests, metrics=[known.name], resamples=100)
    assert [one.status for one in answers] == ["pooled"] * isinstance(outcome, Result)
    assert outcome.metric == known.name
    match outcome:
        case Result():
            assert known.convention is not None
        case Description():
            assert outcome.neutral == known.neutral
            assert outcome.meaning == known.meaning
        case Skipped():
            assert outcome.reason.endswith(".")


@pytest.mark.parametrize("name", [known.name for known in METRICS if hasattr(known, "original")])
def test_measures_of_the_whole_vocabulary_are_skipped_on_a_shipped_cut(name: str) -> None:
    (outcome,) = fairvec.audit(SMALL, suites="bolukbasi2016", metrics=[name])
    assert isinstance(outcome, Skipped)
    assert "glove-en-small is a cut of a larger one" in outcome.reason


@pytest.mark.parametrize("name", ["ripa", "pair-bias"])
@pytest.mark.parametrize(
    ("model", "suite", "paired"),
    [("glove-hi-small", "malik2022", 7), ("navec-ru-small", "pestova", 7)],
)
def test_pairs_are_measured_in_hindi_and_russian(
    model: str, suite: str, paired: int, name: str
) -> None:
    outcomes = fairvec.audit(fairvec.load(model), suites=suite, metrics=[name], resamples=100)
    assert sum(isinstance(outcome, Description) for outcome in outcomes) == paired


@every_metric
def test_what_a_test_cannot_give_is_a_reason(known: Metric) -> None:
    tests = "bolukbasi2016" if "x" in known.needs else "caliskan2017/weat-7"
    (outcome,) = fairvec.audit(SMALL, suites=tests, metrics=[known.name], resamples=100)
    if "x" in known.needs:
        assert isinstance(outcome, Skipped)
        assert "has no list 'x'" in outcome.reason
