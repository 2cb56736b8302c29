"""Laws of settings: what no setting can be is refused when the object is made."""

import pickle
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import MISSING, asdict, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairvec
from fairvec.core.errors import FairvecError, SettingError, UnknownNameError
from fairvec.core.memory import parse_size
from fairvec.core.settings import check_value, setting_fields, setting_types
from fairvec.embedding import LoadOptions
from fairvec.encoders.base import Choices, EncoderOptions
from fairvec.encoders.contexts import Corpus
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.sample_size import words_needed
from fairvec.geometry import COSINE
from fairvec.metrics import METRICS, metric
from fairvec.metrics.utility.analogy import Analogies
from fairvec.metrics.utility.sembias import SemBias
from fairvec.metrics.utility.similarity import WordSimilarity
from fairvec.mitigation import DEBIASERS, debiaser
from fairvec.tasks.sentiment.classifiers import LstmNetwork, MeansNetwork
from fairvec.tasks.sentiment.task import SentimentTask
from fairvec.training.augment import Augmentation
from fairvec.training.encode import VocabularyLimits
from fairvec.training.gensim_training import GensimModel
from fairvec.training.models import Glove, PoincareGlove
from fairvec.training.train import TrainingText, train_embedding
from scripts.document_settings import DOCUMENT, document
from tests import toys
from tests.loops import loop_over

# --- Laws of settings: what no setting can be is refused when a metric or a method is made ---


DECLARED: tuple[type, ...] = (
    *(Glove, PoincareGlove, VocabularyLimits, LstmNetwork, MeansNetwork, SentimentTask),
    *(WordSimilarity, Analogies, SemBias, Choices, EncoderOptions, Statistics),
)
REFUSED = (SettingError, UnknownNameError)
CONSTRUCTORS: list[tuple[str, type, Callable[..., Any]]] = [
    *((known.name, type(known), partial(replace, known)) for known in METRICS),  # type: ignore[type-var]
    *((known.name, known, known) for known in DEBIASERS),
    *((known.__name__, known, known) for known in DECLARED),
    ("skipgram", GensimModel, partial(GensimModel, name="skipgram")),
]
every_one = loop_over(("owner", "make"), [(owner, make) for _, owner, make in CONSTRUCTORS])
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


@every_one
def test_an_empty_value_is_refused(owner: type, make: Callable[..., Any]) -> None:
    for setting in setting_fields(owner):
        wrong: list[Any] = [object(), b"garbage"]
        if setting.type is not str:
            wrong.append("garbage\0")
        ge, gt, le, lt = setting.limits
        wrong += [least - 1 for least in (ge, gt) if least is not None]
        wrong += [most + 1 for most in (le, lt) if most is not None]
        wrong += [end for end in (gt, lt) if end is not None]
        for value in wrong:
            with pytest.raises(REFUSED, match=rf"\b{setting.name}\b"):
                make(**{setting.name: value})


@every_one
def test_defaults_are_what_their_types_allow(owner: type, make: Callable[..., Any]) -> None:
    for setting in setting_fields(owner):
        default = getattr(make(), setting.name)
        assert check_value("", setting.name, setting_types(owner)[setting.name], default) is default


SHOWN = [*map(type, METRICS), *DEBIASERS, WordSimilarity, Analogies, SemBias]
SHOWN += [Choices, EncoderOptions, LoadOptions, Statistics]
SHOWN += [Glove, PoincareGlove, GensimModel, VocabularyLimits, TrainingText, Augmentation]
SHOWN += [SentimentTask, LstmNetwork, MeansNetwork, Corpus]


@pytest.mark.parametrize("owner", SHOWN)
def test_each_setting_has_its_help(owner: type) -> None:
    for setting in setting_fields(owner):
        assert re.fullmatch(r"\w[^\n]*[^.]\.", setting.help), setting


def test_the_page_of_settings_is_current() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(), (
        "run: python -m scripts.document_settings"
    )


@every_one
def test_settings_are_copied_pickled_and_listed(owner: type, make: Callable[..., Any]) -> None:
    built = make()
    assert pickle.loads(pickle.dumps(built)) == replace(built) == built
    assert {*asdict(built)} >= {setting.name for setting in setting_fields(owner)}


@every_one
@given(value=anything)
def test_a_value_is_accepted_or_refused_with_a_reason(
    owner: type, make: Callable[..., Any], value: object
) -> None:
    for setting in setting_types(owner):
        with suppress(*REFUSED):
            stored = getattr(make(**{setting: value}), setting)
            assert stored is value or (stored == value and type(stored) in (bool, int, float))
            assert not isinstance(stored, np.generic)


@every_one
def test_a_number_that_is_none_is_refused(owner: type, make: Callable[..., Any]) -> None:
    numbers = [field for field in fields(owner) if isinstance(field.default, float)]
    for field in numbers:
        assert field.default is not MISSING
        for value in (float("nan"), float("inf"), True, None):
            with pytest.raises(REFUSED):
                make(**{field.name: value})


@loop_over(
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


@loop_over("metrics", ["weat", "seat", "mac", ["weat", "direct-bias"]])
@loop_over("setting", ["similarity", "convention", "permute"])
@loop_over("value", ["garbage", ""])
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
    ("constructor", "setting"),
    [
        pytest.param(constructor, setting, id=f"{constructor.__name__} {setting}")
        for constructor, settings in AMOUNTS.items()
        for setting in settings
    ],
)
def test_the_largest_value_is_accepted_and_more_is_refused(
    constructor: Callable[..., Any], setting: str
) -> None:
    most = AMOUNTS[constructor][setting]
    assert getattr(constructor(**{setting: most}), setting) == most
    for more in (most + 1, 10**12, 10**300, 10**5000):
        with pytest.raises(SettingError, match=setting) as refused:
            constructor(**{setting: more})
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
    with pytest.raises(SettingError, match="between 40 and 100,000"):
        words_needed(toys.embedding(1.0), toys.suite(), draws=10**12)


@pytest.mark.parametrize("size", ["9" * 400, "9" * 400 + "GB", "9" * 18 + "TB", "2000000TB"])
def test_so_much_memory_no_machine_has(size: str) -> None:
    with pytest.raises(SettingError, match="is no size of memory") as refused:
        parse_size(size)
    assert len(str(refused.value)) < 200
    assert parse_size("64TiB") == 2**46
