import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import MISSING, fields, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairvec
from fairvec.core.errors import FairvecError, SettingError, UnknownNameError
from fairvec.core.memory import parse_size
from fairvec.core.settings import Range, setting_types
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.sample_size import words_needed
from fairvec.geometry import COSINE
from fairvec.metrics import METRICS, metric
from fairvec.mitigation import DEBIASERS, debiaser
from fairvec.tasks.sentiment.classifiers import LstmNetwork
from fairvec.tasks.sentiment.task import SentimentTask
from fairvec.training.gensim_training import GensimModel
from fairvec.training.models import Glove, PoincareGlove
from fairvec.training.train import TrainingText, train_embedding
from tests import toys

# --- Laws of settings: what no setting can be is refused when a metric or a method is made ---


REFUSED = (SettingError, UnknownNameError)
MADE: list[tuple[str, type, Callable[..., Any]]] = [
    *((known.name, type(known), partial(replace, known)) for known in METRICS),  # type: ignore[type-var]
    *((known.name, known, known) for known in DEBIASERS),
]
every_one = pytest.mark.parametrize(
    ("owner", "make"), [pytest.param(owner, make, id=name) for name, owner, make in MADE]
)
anything = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(),
    st.binary(),
    st.complex_numbers(),
    st.lists(st.one_of(st.integers(), st.floats(), st.text())),
    st.tuples(st.floats(), st.floats()),
    st.sampled_from([COSINE, np.ones(2), np.float32(0.5), np.int64(3), {}, {1}, type, int]),
)


def ranges(kind: Any) -> Iterator[Range]:
    """Every range that a type holds."""
    if get_origin(kind) is Annotated:
        yield from (each for each in get_args(kind)[1:] if isinstance(each, Range))
    for part in get_args(kind):
        yield from ranges(part)


@every_one
def test_what_is_nothing_at_all_is_refused(owner: type, make: Callable[..., Any]) -> None:
    for setting, kind in setting_types(owner).items():
        wrong = [object(), b"garbage"]
        if kind is not str:
            wrong.append("garbage\0")
        wrong += [each.least - 1 for each in ranges(kind)]
        wrong += [each.most + 1 for each in ranges(kind) if each.most < np.inf]
        wrong += [each.least for each in ranges(kind) if each.above]
        for value in wrong:
            with pytest.raises(REFUSED, match=rf"\b{setting}\b"):
                make(**{setting: value})


@every_one
@given(value=anything)
def test_a_value_is_taken_or_refused_in_words(
    owner: type, make: Callable[..., Any], value: object
) -> None:
    for setting in setting_types(owner):
        with suppress(*REFUSED):
            taken = getattr(make(**{setting: value}), setting)
            assert taken is value or (taken == value and type(taken) in (bool, int, float))
            assert not isinstance(taken, np.generic)


@every_one
def test_a_number_that_is_none_is_refused(owner: type, make: Callable[..., Any]) -> None:
    numbers = [field for field in fields(owner) if isinstance(field.default, float)]
    for field in numbers:
        assert field.default is not MISSING
        for value in (float("nan"), float("inf"), True, None):
            with pytest.raises(REFUSED):
                make(**{field.name: value})


@pytest.mark.parametrize(
    ("by_name", "name", "owner"),
    [
        *((metric, known.name, type(known)) for known in METRICS),
        *((debiaser, known.name, known) for known in DEBIASERS),
    ],
)
def test_a_misspelt_setting_is_refused_with_an_offer(
    by_name: Callable[..., Any], name: str, owner: type
) -> None:
    for setting in setting_types(owner):
        with pytest.raises(UnknownNameError, match=f"setting of {name} named .*{setting}"):
            by_name(name, **{setting[:-1] + "_" + setting[-1]: 1})
    with pytest.raises(UnknownNameError, match=f"setting of {name} named 'colour'"):
        by_name(name, colour="red")


@pytest.mark.parametrize("metrics", ["weat", "seat", "mac", ["weat", "direct-bias"]])
@pytest.mark.parametrize("setting", ["similarity", "convention", "permute"])
@pytest.mark.parametrize("value", ["garbage", ""])
def test_an_audit_refuses_what_none_of_its_metrics_could_have(
    metrics: Any, setting: str, value: str
) -> None:
    with pytest.raises(UnknownNameError, match=repr(value)):
        fairvec.audit(toys.embedding(), metrics=metrics, **{setting: value})  # type: ignore[arg-type]


def test_settings_of_an_audit_go_to_those_metrics_that_have_them() -> None:
    both = fairvec.audit(
        fairvec.load("glove-en-small"),
        suites="caliskan2017/weat-7",
        metrics=["weat", "mac"],
        convention="population",
        permute="words",
        similarity="negative-distance",
        categories=False,
    )
    assert [each.described.settings for each in both if each.described is not None] == [
        {"similarity": "negative-distance", "effect_size": "population"},
        {},
    ]


def test_every_refusal_is_an_error_of_fairvec() -> None:
    assert all(issubclass(each, FairvecError) for each in REFUSED)


# --- What asks for so much work refuses amounts for which nobody could wait, in one sentence ---


AMOUNTS: dict[Callable[..., Any], dict[str, int]] = {
    Statistics: {"samples": 10**8, "resamples": 10**7, "seed": 2**32 - 1},
    Glove: {"dimensions": 10**5, "epochs": 10**5, "unseen": 1000},
    PoincareGlove: {"dimensions": 10**5, "epochs": 10**5, "unseen": 1000},
    GensimModel: {"dimensions": 10**5, "epochs": 10**5, "negative": 1000},
    LstmNetwork: {"epochs": 10**5, "units": 10**5, "dense": 10**5},
    SentimentTask: {"passes": 10**4, "seed": 2**32 - 1},
}
"""The most of each that is taken."""


@pytest.mark.parametrize(
    ("made", "setting"),
    [
        pytest.param(made, setting, id=f"{made.__name__} {setting}")
        for made, settings in AMOUNTS.items()
        for setting in settings
    ],
)
def test_the_most_is_taken_and_more_is_refused(made: Callable[..., Any], setting: str) -> None:
    most = AMOUNTS[made][setting]
    assert getattr(made(**{setting: most}), setting) == most
    for more in (most + 1, 10**12, 10**300, 10**5000):
        with pytest.raises(SettingError, match=setting) as refused:
            made(**{setting: more})
        assert len(str(refused.value)) < 200
        assert re.search(f"{most}|{most:,}|finite", str(refused.value))


@pytest.mark.parametrize("threads", [0, -1, 1025, 10**12])
def test_so_many_threads_no_machine_has(threads: int) -> None:
    text = TrainingText((Path("no-file.txt"),), "en")
    with pytest.raises(SettingError, match=r"threads is -?[0-9]+; it must lie between 1 and 1024"):
        train_embedding(text, Glove(), threads=threads)
    with pytest.raises(SettingError, match="window is 10001"):
        TrainingText((), "en", window=10_001)


def test_so_many_lists_are_not_drawn() -> None:
    with pytest.raises(SettingError, match="drawn 40 to 100,000 times"):
        words_needed(toys.embedding(1.0), toys.suite(), draws=10**12)


@pytest.mark.parametrize("size", ["9" * 400, "9" * 400 + "GB", "9" * 18 + "TB", "2000000TB"])
def test_so_much_memory_no_machine_has(size: str) -> None:
    with pytest.raises(SettingError, match="is no size of memory") as refused:
        parse_size(size)
    assert len(str(refused.value)) < 200
    assert parse_size("64TiB") == 2**46
