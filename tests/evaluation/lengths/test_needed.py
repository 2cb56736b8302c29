import json
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import SettingError, UndefinedError, UnknownNameError
from fairvec.embedding import Embedding
from fairvec.experiments.audit.audit import audit
from fairvec.experiments.sample_size import (
    DrawnLists,
    WordsNeeded,
    sufficient_lengths,
    summary_sentence,
    tried_lengths,
    words_needed,
)
from fairvec.lexicon import Suite
from fairvec.results import Result
from fairvec.stats import required_words
from tests import toys

quick = partial(words_needed, draws=40, longest=14)


def listed(words: dict[str, int], lean: float, seed: int) -> tuple[Embedding, Suite]:
    """Made-up lists of so many words, of which X leans to A by `lean` standard deviations."""
    names = {role: [f"{role}word{place}" for place in range(size)] for role, size in words.items()}
    generator = np.random.default_rng(seed)
    # Attributes stand apart along one axis; a target's leaning is its place along that axis.
    places = {"x": lean / 2, "y": -lean / 2}
    rows = []
    for role, entries in names.items():
        for _ in entries:
            along = 10.0 if role == "a" else -10.0 if role == "b" else 0.0
            own = generator.normal(places.get(role, along), 1)
            rows.append([own, *(generator.normal(size=2) * 0.1), 8.0 if role in "xy" else 0.0])
    keys = [entry for entries in names.values() for entry in entries]
    return Embedding(keys, np.array(rows), name="made"), toys.suite(words=names)


def test_effect_p_and_interval_are_those_of_an_audit() -> None:
    model, suite = toys.embedding(0.2), toys.suite()
    found = quick(model, suite.tests[0])
    (outcome,) = audit(model, suites=suite, categories=False)
    assert isinstance(outcome, Result)
    assert outcome.verdict is not None
    assert (found.effect, found.p) == (outcome.effect, outcome.verdict.p)
    assert found.interval == outcome.interval
    assert [each.roles for each in found.lists] == [("x", "y"), ("a", "b")]
    assert [each.own for each in found.lists] == [(5, 5), (4, 4)]


def test_new_lists_of_that_length_are_significant_as_the_formula_says() -> None:
    model, suite = listed({"x": 30, "y": 30, "a": 8, "b": 8}, 1.0, 1)
    found = words_needed(model, suite.tests[0], lists=["targets"], longest=40, draws=150)
    (lists,) = found.lists
    assert found.by_formula is not None
    assert lists.for_power is not None
    # One step of lengths (a seventh) and three words for the noise of 150 draws.
    assert lists.for_power == pytest.approx(found.by_formula, abs=3 + found.by_formula / 7)
    at = {point.words: point.new.significant for point in lists.lengths}
    assert at[2] == at[3] == 0  # 3 + 3 words have no p below 0.1
    assert at[40] > 0.9


def test_attributes_make_no_target_list_longer() -> None:
    """With 3 + 3 targets no p is below 0.1, however many attributes there are."""
    model, suite = listed({"x": 3, "y": 3, "a": 6, "b": 6}, 5.0, 2)
    found = quick(model, suite.tests[0], lists="attributes")
    assert [point.new.significant for point in found.lists[0].lengths] == [0] * 12
    assert found.lists[0].for_power is None
    assert "do not make 80% of new lists significant" in found.sentence


def test_under_the_null_no_length_is_promised() -> None:
    promised = []
    for seed in range(40):
        model, suite = listed({"x": 6, "y": 6, "a": 4, "b": 4}, 0.0, seed)
        found = words_needed(model, suite.tests[0], lists=["x"], draws=40, longest=2)
        promised.append("do not rule out that there is none" not in found.sentence)
        assert (found.by_formula_at_end is None) == (found.p > 0.05)
    assert sum(promised) <= 6  # 2 are expected; 7 or more come up once in 200


def test_a_sure_effect_says_what_its_nearer_end_would_need() -> None:
    model, suite = listed({"x": 12, "y": 12, "a": 6, "b": 6}, 2.0, 3)
    found = quick(model, suite.tests[0])
    assert found.interval is not None
    end = min(abs(found.interval.low), abs(found.interval.high))
    assert found.by_formula_at_end == required_words(end)
    assert f"would need {found.by_formula_at_end} words" in found.sentence


def test_what_else_is_asked_does_not_change_what_is_drawn() -> None:
    model, test = toys.embedding(0.3), toys.suite().tests[0]
    alone = quick(model, test, lists=["b"])
    both = quick(model, test, lists=["targets", "b"])
    assert both.lists[1] == alone.lists[0]
    assert alone == quick(model, test, lists=["b"])
    assert alone != quick(model, test, lists=["b"], seed=1)


def test_a_record_is_read_back_as_it_was() -> None:
    found = quick(toys.embedding(0.3), toys.suite().tests[0])
    assert WordsNeeded.model_validate(json.loads(found.model_dump_json())) == found


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"lists": ["target"]}, "did you mean targets"),
        ({"lists": []}, "names none"),
        ({"draws": 0}, "draws 0"),
        ({"draws": 39}, "drawn 40 to 100,000 times"),
        ({"power": 0.04}, "power 0.04"),
        ({"within": float("nan")}, "within nan"),
        ({"within": float("inf")}, "within inf"),
        ({"longest": 1}, "longest 1"),
        ({"longest": 5_001}, "2 to 5,000 words"),
        ({"smallest_coverage": 3.0}, "a share from 0 to 1, not 3"),
        ({"similarity": "cosin"}, "did you mean cosine"),
    ],
)
def test_a_slip_is_one_sentence(settings: dict[str, object], said: str) -> None:
    with pytest.raises((SettingError, UnknownNameError), match=said):
        words_needed(toys.embedding(), toys.suite().tests[0], **settings)  # type: ignore[arg-type]


def test_a_suite_of_several_tests_and_a_list_of_one_word_are_refused() -> None:
    with pytest.raises(SettingError, match="name one"):
        words_needed(toys.embedding(), "caliskan2017")
    model, suite = listed({"x": 4, "y": 4, "a": 1, "b": 3}, 1.0, 0)
    with pytest.raises(UndefinedError, match="The list a of toy/one has one word"):
        quick(model, suite.tests[0])
    assert quick(model, suite.tests[0], lists=["targets"]).lists[0].own == (4, 4)


def test_a_model_without_the_words_is_told_so() -> None:
    with pytest.raises(UndefinedError, match="caliskan2017/weat-6: Only 0 of 8"):
        words_needed(toys.embedding(), "caliskan2017/weat-6")


@given(st.lists(st.integers(2, 40), min_size=1, max_size=2), st.integers(2, 90))
def test_lengths_hold_the_lists_own_and_end_with_the_longest(own: list[int], longest: int) -> None:
    tried = [*tried_lengths(own, longest)]
    assert tried == sorted(set(tried))
    assert (tried[0], tried[-1]) == (2, longest)
    assert {size for size in own if size <= longest} <= set(tried)
    assert all(after <= max(before + 1, before * 1.2) for before, after in pairwise(tried))


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=8))
def test_enough_means_every_longer_list_too(drawn: list[tuple[float, float]]) -> None:
    lengths = [
        (place + 2, DrawnLists(significant=share, opposite=0, low=-reach, high=reach))
        for place, (share, reach) in enumerate(drawn)
    ]
    for_power, for_spread = sufficient_lengths(lengths, 0.8, 0.2)
    certain = [k for k, _ in lengths if all(one.significant >= 0.8 for j, one in lengths if j >= k)]
    alike = [k for k, _ in lengths if all((one.reach or 0) <= 0.2 for j, one in lengths if j >= k)]
    assert for_power == min(certain, default=None)
    assert for_spread == min(alike, default=None)


def test_new_attributes_that_would_be_sure_of_the_contrary_are_named() -> None:
    """Targets differ in what half of A asks, and the other way round in what the rest asks."""
    generator = np.random.default_rng(2)
    words = {role: [f"{role}word{place}" for place in range(6)] for role in "xyab"}
    rows = [
        *([5.0, 0.0, 1.0] + generator.normal(size=3) * 0.1 for _ in words["x"]),
        *([0.0, 5.0, 1.0] + generator.normal(size=3) * 0.1 for _ in words["y"]),
        *([4.0, 0.0, 0.0] if place < 4 else [0.0, 6.0, 0.0] for place in range(6)),
        *([0.0, 0.0, 1.0] for _ in words["b"]),
    ]
    model = Embedding([word for each in words.values() for word in each], np.array(rows))
    found = words_needed(model, toys.suite(words=words).tests[0], lists=["a"], longest=8)
    (at,) = (point.new for point in found.lists[0].lengths if point.words == 6)
    assert at.opposite > 0.05
    assert f"{at.opposite:.0%} are significant with the other sign" in found.sentence


def test_an_end_next_to_zero_is_no_doubt_that_there_is_an_effect() -> None:
    """p at the level, or just below it: the interval ends next to 0, and leaves it out."""
    found = quick(toys.embedding(0.9), toys.suite().tests[0])
    assert found.interval is not None
    for end in (1e-12, 0.02):
        edge = found.interval.model_copy(update={"low": end, "high": 1.5})
        needs = required_words(end)
        assert needs is None
        said = summary_sentence(
            found.model_copy(update={"interval": edge, "by_formula_at_end": needs})
        )
        assert "do not rule out" not in said
        assert said.endswith("for that target lists would need more than 10,000 words each.")
    over = found.interval.model_copy(update={"low": 0.0})
    assert "do not rule out that there is none" in summary_sentence(
        found.model_copy(update={"interval": over})
    )


def test_an_effect_of_nothing_has_no_other_sign() -> None:
    words = toys.WORDS | {"y": [word.upper() for word in toys.WORDS["x"]]}
    with pytest.raises(UndefinedError, match="which has no sign that longer"):
        quick(toys.embedding(0.5), toys.suite(words=words).tests[0])


@pytest.mark.parametrize("swapped", [("x", "y"), ("a", "b")])
def test_swapped_lists_need_as_many_words(swapped: tuple[str, str]) -> None:
    """Sub-lists draw by role and differ a little, what is reckoned without draws does not."""
    one, other = swapped
    words = toys.WORDS | {one: toys.WORDS[other], other: toys.WORDS[one]}
    found = quick(toys.embedding(0.4), toys.suite().tests[0])
    turned = quick(toys.embedding(0.4), toys.suite(words=words).tests[0])
    assert turned.effect == pytest.approx(-found.effect)
    assert turned.p == pytest.approx(found.p)
    assert (turned.by_formula, turned.by_formula_at_end) == (
        found.by_formula,
        found.by_formula_at_end,
    )
