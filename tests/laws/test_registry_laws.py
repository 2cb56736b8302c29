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
    (outcome,) = fairvec.audit(SMALL, suites=tests, metrics=[known.name], resamples=100)
    assert outcome.metric == known.name
    match outcome:
        case Result():
            assert known.convention is not None
        case Description():
            assert outcome.neutral == known.neutral
            assert outcome.meaning == known.meaning
        case Skipped():
            assert outcome.reason.endswith(".")


@every_metric
def test_what_a_test_cannot_give_is_a_reason(known: Metric) -> None:
    tests = "bolukbasi2016" if "x" in known.needs else "caliskan2017/weat-7"
    (outcome,) = fairvec.audit(SMALL, suites=tests, metrics=[known.name], resamples=100)
    if "x" in known.needs:
        assert isinstance(outcome, Skipped)
        assert "has no list 'x'" in outcome.reason
