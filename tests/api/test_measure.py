"""fairvec.audit in Python, with lists given in the call."""

from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairvec
from fairvec import Suite, Test
from fairvec.core.errors import LexiconError, SettingError, UnknownNameError
from fairvec.experiments.audit.plan import MetricChoice
from fairvec.lexicon import parse_suite
from fairvec.metrics import Metric, metric
from fairvec.metrics.bias.direction import DirectBias
from fairvec.metrics.bias.seat import Seat
from fairvec.metrics.bias.weat import Weat
from fairvec.results import Result
from fairvec.results.records import CategoryAnswer, Description
from tests import toys
from tests.api.toys import JOBS, PLANTS, as_toml, figures

# --- audit ---


MODEL = "glove-en-small"


@pytest.fixture(scope="module")
def model() -> fairvec.Embedding:
    return fairvec.load(MODEL)


class Column:
    """As much of a pandas Series as a call may rely on: it is iterated, and has no truth."""

    def __init__(self, words: list[str]) -> None:
        self.words = words

    def __iter__(self) -> Any:
        return iter(self.words)

    def __bool__(self) -> bool:
        raise ValueError("The truth value of a Series is ambiguous.")

    def __eq__(self, other: object) -> Any:
        return np.array([word == other for word in self.words])

    __hash__ = None  # type: ignore[assignment]


@pytest.mark.parametrize("measure", ["weat", "seat", "direct-bias", "ect"])
def test_lists_in_the_call_and_in_a_file_give_the_same_digits(
    measure: str, model: fairvec.Embedding, tmp_path: Path
) -> None:
    file = tmp_path / "file.toml"
    file.write_text(as_toml(), encoding="utf-8")
    named, *_ = fairvec.audit(model, suites=str(file), metrics=measure)
    inline, *_ = fairvec.audit(model, **JOBS, metrics=measure)
    in_call, *_ = fairvec.audit(model, tests=Test(**JOBS), metrics=measure)
    suite, *_ = fairvec.audit(model, suites=Suite(tests=[Test(**JOBS)]), metrics=measure)
    assert isinstance(named, Result | Description)
    assert figures(inline) == figures(named)
    assert figures(in_call) == figures(named)
    assert figures(suite) == figures(named)


def test_the_effect_is_that_of_a_few_lines(model: fairvec.Embedding) -> None:
    unit = {
        w: model.rows([w])[0] / np.linalg.norm(model.rows([w])) for ws in JOBS.values() for w in ws
    }

    def lean(word: str) -> float:
        sides = (np.mean([unit[word] @ unit[one] for one in JOBS[role]]) for role in "ab")
        return float(np.subtract(*sides))

    x, y = ([lean(word) for word in JOBS[role]] for role in "xy")
    (found,) = fairvec.audit(model, **JOBS)
    assert isinstance(found, Result)
    assert found.effect == pytest.approx((np.mean(x) - np.mean(y)) / np.std([*x, *y], ddof=1))


def test_a_name_a_path_and_a_loaded_model_are_one(model: fairvec.Embedding, tmp_path: Path) -> None:
    path = tmp_path / f"{MODEL}.fairvec"
    fairvec.save(model, path)
    expected = figures(fairvec.audit(model, **JOBS)[0])
    for same in (MODEL, path, str(path)):
        assert figures(fairvec.audit(same, **JOBS)[0]) == expected
    assert fairvec.audit(MODEL, **JOBS) == fairvec.audit(model, **JOBS)


def test_keyed_vectors_are_audited_as_they_are(model: fairvec.Embedding) -> None:
    gensim = pytest.importorskip("gensim.models")
    vectors = gensim.KeyedVectors(model.dimensions)
    vectors.add_vectors(list(model.keys), model.vectors)
    (found,) = fairvec.audit(vectors, **JOBS)
    assert figures(found) == figures(fairvec.audit(model, **JOBS)[0])
    assert found.model.history[0]["from"] == "KeyedVectors"


@pytest.mark.parametrize(
    "kind",
    [tuple, np.array, lambda words: np.array(words, dtype=object), Column, iter, dict.fromkeys],
    ids=["tuple", "array", "objects", "column", "generator", "keys"],
)
def test_whatever_holds_words_is_a_list(
    kind: Callable[[list[str]], Any], model: fairvec.Embedding
) -> None:
    lists: dict[str, Any] = {role: kind(words) for role, words in JOBS.items()}
    if isinstance(lists["x"], dict):
        lists = {role: words.keys() for role, words in lists.items()}
    found = fairvec.audit(model, **lists)
    assert found == fairvec.audit(model, **JOBS)
    fairvec.Result.model_validate_json(found[0].model_dump_json())


def test_a_series_of_pandas_is_a_list_and_a_frame_is_none(model: fairvec.Embedding) -> None:
    pandas = pytest.importorskip("pandas")
    lists = {role: pandas.Series(words) for role, words in JOBS.items()}
    assert fairvec.audit(model, **lists) == fairvec.audit(model, **JOBS)
    with pytest.raises(LexiconError, match="DataFrame, which is no list"):
        fairvec.audit(model, **JOBS | {"x": pandas.DataFrame({"x": JOBS["x"]})})


def test_a_set_has_one_order(model: fairvec.Embedding) -> None:
    ways = [
        fairvec.audit(model, **JOBS | {"a": kind(words)})
        for words in [*permutations(JOBS["a"])][::24]
        for kind in (set, frozenset)
    ]
    assert all(way == ways[0] for way in ways)


def test_missing_words_are_named_and_too_many_leave_no_answer(model: fairvec.Embedding) -> None:
    (found,) = fairvec.audit(model, **JOBS | {"x": [*JOBS["x"], "Xyzzyq"]})
    assert isinstance(found, Result)
    assert [*found.coverage[0].missing] == ["Xyzzyq"]
    assert found.effect == fairvec.audit(model, **JOBS)[0].effect  # type: ignore[union-attr]
    (skipped,) = fairvec.audit(model, **JOBS | {"x": ["xyzzyq", "qyzzyx", "boss"]})
    assert isinstance(skipped, fairvec.Skipped)
    assert "coverage" in skipped.reason or "words" in skipped.reason
    assert [*skipped.coverage[0].missing] == ["xyzzyq", "qyzzyx"]


def test_named_suites_tests_and_lists_are_measured_together(model: fairvec.Embedding) -> None:
    plants = Test(**PLANTS, id="plants", kind="baseline", category="plants")
    found = fairvec.audit(model, suites="caliskan2017/weat-6", tests=plants, **JOBS, title="Jobs")
    ids = [one.test.id for one in found if not isinstance(one, CategoryAnswer)]
    assert ids == ["caliskan2017/weat-6", "own/plants", "own/jobs"]


def test_loose_tests_are_corrected_over_one_another_and_not_pooled(
    model: fairvec.Embedding,
) -> None:
    tests = [Test(**JOBS), Test(**PLANTS)]
    both = fairvec.audit(model, tests=tests)
    assert len(both) == 2  # of no named category: there is nothing that they would answer together
    holm = [one.p_holm for one in both if isinstance(one, Result) and one.p_holm is not None]
    single_p = [fairvec.audit(model, tests=test)[0].p.value for test in tests]  # type: ignore[union-attr]
    assert min(holm) == pytest.approx(2 * min(single_p))
    named = fairvec.audit(model, tests=[Test(**JOBS, category="c"), Test(**PLANTS, category="c")])
    assert [one.test.id for one in named if isinstance(one, CategoryAnswer)] == ["category/c"]


def test_the_same_lists_are_the_same_test_in_another_run(model: fairvec.Embedding) -> None:
    runs = [fairvec.audit(name, **JOBS) for name in (model, "glove-en-twin-small")]
    assert len(fairvec.compare(*runs).pairs) == 1
    fewer: dict[str, Any] = {role: words[:-1] for role, words in JOBS.items()}
    with pytest.raises(SettingError, match="other settings"):
        fairvec.compare(
            fairvec.audit(model, **JOBS, title="Jobs"), fairvec.audit(model, **fewer, title="Jobs")
        )


def test_lists_are_in_the_language_of_the_model() -> None:
    words: dict[str, Any] = {
        "x": ["पिता", "भाई"],
        "y": ["माता", "बहन"],
        "a": ["राजा"],
        "b": ["रानी"],
    }
    (found,) = fairvec.audit("glove-hi-small", **words)
    assert found.test.language == "hi"
    (latin,) = fairvec.audit("glove-hi-small", **JOBS)
    assert latin.test.language == "und"
    (result,) = fairvec.audit("glove-hi-small", tests=Test(**words, language="mr"))
    assert result.test.language == "mr"


@pytest.mark.parametrize(
    ("metrics", "names"),
    [
        ([DirectBias(strictness=2), Seat(permute="sentences")], ["direct-bias", "seat"]),
        ([Seat()], ["seat"]),
        (Seat(), ["seat"]),
        ([Weat(), "weat"], ["weat"]),
        ((metric("seat"), "ect"), ["seat", "ect"]),
    ],
    ids=["two-objects", "one-object", "an-object-alone", "object-and-name", "made-by-name"],
)
def test_metrics_are_names_or_objects(
    metrics: Any, names: list[str], model: fairvec.Embedding
) -> None:
    found = fairvec.audit(model, **JOBS, metrics=metrics, samples=200, resamples=200)
    assert [one.metric for one in found] == names


def test_models_come_first(model: fairvec.Embedding) -> None:
    with pytest.raises(SettingError, match=r"Models come first and without model=; say audit\(mod"):
        fairvec.audit(model=model, **JOBS)  # type: ignore[call-arg]


def test_a_word_with_variants_is_a_table(model: fairvec.Embedding) -> None:
    expected = {"word": "no-such-word", "variants": [JOBS["x"][0]]}
    x = [expected, *JOBS["x"][1:]]
    (found,) = fairvec.audit(model, x=x, y=JOBS["y"], a=JOBS["a"], b=JOBS["b"])
    (known,) = fairvec.audit(model, **JOBS)
    assert isinstance(found, Result)
    assert isinstance(known, Result)
    assert found.effect == known.effect


def test_metrics_of_a_generator_are_all_measured_in_every_model(model: fairvec.Embedding) -> None:
    metrics: list[str | Metric] = ["weat", DirectBias()]
    listed = fairvec.audit(model, model.with_name("twin"), **JOBS, metrics=metrics)
    of_generator = fairvec.audit(
        model, model.with_name("twin"), **JOBS, metrics=(one for one in metrics)
    )
    assert of_generator == listed
    assert [one.metric for one in of_generator] == ["weat", "direct-bias"] * 2


def test_a_metric_object_keeps_its_settings(model: fairvec.Embedding) -> None:
    (twice,) = fairvec.audit(model, **JOBS, metrics=[DirectBias(strictness=2)])
    (once,) = fairvec.audit(model, **JOBS, metrics=["direct-bias"])
    assert isinstance(twice, Description)
    assert isinstance(once, Description)
    assert twice.value < once.value  # of shares below 1 the squares are smaller
    assert twice.described is not None
    assert twice.described.settings["strictness"] == 2


@pytest.mark.parametrize("source", [5, None, [toys.embedding()], np.ones((2, 2)), object()])
def test_what_is_no_model_is_refused_in_one_sentence(source: object) -> None:
    with pytest.raises(SettingError, match=r"^[^.]*(; give|give them with)[^\n]*\.$") as caught:
        fairvec.audit(source, **JOBS)
    assert "\n" not in str(caught.value)


def test_mistakes_in_a_call_are_reported_with_the_remedy(model: fairvec.Embedding) -> None:
    with pytest.raises(SettingError, match="No model was given; name one"):
        fairvec.audit(**JOBS)
    with pytest.raises(UnknownNameError, match="did you mean suites"):
        fairvec.audit(model, suite="en")  # type: ignore[call-arg]
    with pytest.raises(UnknownNameError, match="did you mean titles"):
        fairvec.audit(model, titels={})  # type: ignore[call-arg]
    with pytest.raises(SettingError, match="title= describes lists, and the call has none"):
        fairvec.audit(model, title="Jobs")
    with pytest.raises(SettingError, match="tests= names no test"):
        fairvec.audit(model, tests=[])
    with pytest.raises(LexiconError, match="object of the kind int"):
        fairvec.audit(model, suites=[5])  # type: ignore[list-item]


def test_a_file_in_python_is_the_suite_of_the_file(model: fairvec.Embedding) -> None:
    suite = parse_suite(as_toml())
    found = fairvec.audit(model, suites=[suite])
    assert isinstance(found, fairvec.Results)
    assert [one.test.id for one in found] == ["file/jobs", "category/gender"]
    assert found[0].test.suite_version == "1"


@pytest.mark.parametrize("how", ["one", "list", "among others"])
def test_seat_may_be_an_object(how: str) -> None:
    """By object as by name, with settings of its own that the record says."""
    seat = Seat(permute="sentences")
    choices: dict[str, MetricChoice] = {"one": seat, "list": [seat], "among others": ["weat", seat]}
    test = "malik2022/maths-arts"
    found = fairvec.audit("glove-hi-small", suites=test, metrics=choices[how], categories=False)
    (by_name,) = fairvec.audit(
        "glove-hi-small", suites=test, metrics="seat", permute="sentences", categories=False
    )
    assert [one.metric for one in found] == (["weat"] if len(found) == 2 else []) + ["seat"]
    by_object = found[-1]
    assert isinstance(by_object, Result)
    assert isinstance(by_name, Result)
    assert (by_object.effect, by_object.p) == (by_name.effect, by_name.p)
    assert by_object.described == by_name.described


# --- What holds of lists in a call, whatever the words are ---


MODEL_OWN_LISTS = toys.embedding(0.2)
WORDS = [word for words in toys.WORDS.values() for word in words]


@st.composite
def lists(draw: Any) -> dict[str, Any]:
    """Four lists of different words that the toy model has."""
    words = draw(st.permutations(WORDS))
    return {"x": words[:4], "y": words[4:9], "a": words[9:12], "b": words[12:15]}


def effect(lists: dict[str, Any]) -> float:
    (found,) = fairvec.audit(MODEL_OWN_LISTS, **lists, interval="none")
    assert isinstance(found, Result)
    return found.effect


@settings(max_examples=20)
@given(lists())
def test_exchanged_lists_turn_the_effect(lists: dict[str, Any]) -> None:
    turned = lists | {"x": lists["y"], "y": lists["x"]}
    assert effect(turned) == pytest.approx(-effect(lists))
    both = turned | {"a": lists["b"], "b": lists["a"]}
    assert effect(both) == pytest.approx(effect(lists))


@settings(max_examples=20)
@given(lists(), st.sampled_from("xyab"))
def test_a_missing_word_is_named_and_changes_no_figure(lists: dict[str, Any], role: str) -> None:
    (was,) = fairvec.audit(MODEL_OWN_LISTS, **lists)
    (found,) = fairvec.audit(MODEL_OWN_LISTS, **lists | {role: [*lists[role], "xyzzyq"]})
    missing = {one.role: [*one.missing] for one in found.coverage}
    assert missing == {each: ["xyzzyq"] if each == role else [] for each in "xyab"}
    assert figures(found) == figures(was)
