from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairvec
from fairvec.core.errors import SettingError, UnknownNameError
from fairvec.experiments.audit.plan import asked_metrics, refuse_contradictions
from fairvec.geometry import COSINE, NEGATIVE_DISTANCE, Poincare
from fairvec.metrics import METRICS, Metric, Weat, effect_size
from fairvec.metrics.bias import DirectBias, PairBias, Seat
from fairvec.metrics.utility import WordSimilarity
from fairvec.results import Outcome
from tests import toys

Audited = Callable[..., list[Outcome]]


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The toy suite as a file."""
    file = tmp_path_factory.mktemp("suite") / "toy.toml"
    file.write_text(toys.suite_text(), encoding="utf-8")
    return str(file)


@pytest.fixture
def audited(suite: str) -> Audited:
    """A function that audits the toy model by the toy suite."""
    return partial(fairvec.audit, toys.embedding(0.5), suites=suite, resamples=100)


@given(st.lists(st.sampled_from(METRICS), min_size=1, unique=True), st.data())
def test_names_and_objects_ask_for_the_same(metrics: list[Metric], data: st.DataObject) -> None:
    mixed = [one.name if data.draw(st.booleans()) else one for one in metrics]
    assert asked_metrics(mixed, {}) == tuple(metrics)
    assert asked_metrics([*mixed, *metrics], {}) == tuple(metrics)


@pytest.mark.parametrize("known", METRICS, ids=lambda one: one.name)
def test_an_object_gives_the_records_of_its_name(audited: Audited, known: Metric) -> None:
    assert (
        audited(metrics=[known])
        == audited(metrics=[known.name])
        == audited(metrics=known)
        == audited(metrics=known.name)
    )


def test_settings_of_an_object_count(audited: Audited) -> None:
    plain, strict = audited(metrics=["direct-bias"]), audited(metrics=[DirectBias(strictness=2)])
    assert [one.metric for one in (*plain, *strict)] == ["direct-bias"] * 2
    assert plain[0].model_dump()["value"] > strict[0].model_dump()["value"]


def test_settings_of_the_audit_reach_names_and_not_objects(suite: str) -> None:
    ball = toys.embedding(0.5, space=Poincare(1.0))
    asked: list[str | Metric] = ["weat", Weat(COSINE), PairBias()]
    outcomes = fairvec.audit(ball, suites=suite, metrics=asked, resamples=100)
    asked_by = [one.similarity for one in outcomes if one.status != "pooled"]
    assert asked_by == ["negative-distance", "cosine", "cosine"]
    assert [one.similarity for one in outcomes[3:]] == ["negative-distance", "cosine"]


@pytest.mark.parametrize(
    ("metrics", "named", "words"),
    [
        (
            [Weat(NEGATIVE_DISTANCE)],
            {"similarity": "cosine"},
            "similarity negative-distance.*cosine",
        ),
        (["weat", Weat()], {"convention": "population"}, "convention caliskan.*names population"),
        ([Seat(permute="sentences")], {"permute": "words"}, "permute sentences.*names words"),
    ],
)
def test_an_object_that_contradicts_the_audit_is_refused(
    audited: Audited, metrics: Sequence[str | Metric], named: dict[str, Any], words: str
) -> None:
    with pytest.raises(SettingError, match=f"{words}; set it on the object, or give the metric by"):
        audited(metrics=metrics, **named)


def test_what_agrees_or_cannot_be_set_is_no_contradiction() -> None:
    named: dict[str, Any] = {
        "similarity": NEGATIVE_DISTANCE,
        "effect_size": effect_size("population"),
    }
    for known in METRICS:
        refuse_contradictions(known.name, named)
        if is_dataclass(known) and not isinstance(known, type):
            own = {each.name for each in fields(known)} & named.keys()
            agreeing = replace(known, **{name: named[name] for name in own})
            refuse_contradictions([agreeing], named)
    refuse_contradictions([DirectBias(strictness=2)], named)


@pytest.mark.parametrize("one", [DirectBias, 3, None, WordSimilarity(), ["weat"]], ids=repr)
def test_what_is_no_metric_is_refused_in_a_sentence(audited: Audited, one: object) -> None:
    with pytest.raises(SettingError, match="is no metric; give names, as in 'weat', or objects"):
        audited(metrics=["weat", one])


def test_no_metric_and_unknown_names_are_refused(audited: Audited) -> None:
    with pytest.raises(SettingError, match="names no metric"):
        audited(metrics=[])
    with pytest.raises(UnknownNameError, match="did you mean weat"):
        audited(metrics="weta")


def test_one_metric_with_two_settings_is_told_apart_by_its_records(audited: Audited) -> None:
    strict, usual = audited(metrics=[DirectBias(strictness=2), "direct-bias"])
    assert strict.described is not None
    assert usual.described is not None
    assert strict.described.settings["strictness"] == 2
    assert strict.described != usual.described
    apart = audited(metrics=[Weat(NEGATIVE_DISTANCE), "weat"])
    assert [one.similarity for one in apart] == ["negative-distance", "cosine"] * 2
