"""How many words a test needs."""

import json
from dataclasses import replace
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
    ListSimilarities,
    Rows,
    draw_lists,
    list_lengths,
    lists_differ,
    new_lists,
    similarity_table,
    sublists,
    sufficient_lengths,
    words_needed,
)
from fairvec.geometry import COSINE, FloatArray
from fairvec.lexicon import Groups, Suite, resolve
from fairvec.messages.studies import sample_size_sentence
from fairvec.metrics.bias.weat import CALISKAN, POPULATION, Weat
from fairvec.results import Result
from fairvec.results.sample_size import ResampledLists, SampleSizeReport
from fairvec.stats import permutation_test, required_words
from tests import toys

# --- needed ---


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
    assert "fewer than 80% of new lists are significant" in found.sentence


def test_under_the_null_no_length_is_promised() -> None:
    promised = []
    for seed in range(40):
        model, suite = listed({"x": 6, "y": 6, "a": 4, "b": 4}, 0.0, seed)
        found = words_needed(model, suite.tests[0], lists=["x"], draws=40, longest=2)
        promised.append("no length is enough" not in found.sentence)
        assert (found.by_formula_at_end is None) == (found.p > 0.05)
    assert sum(promised) <= 6  # 2 are expected; 7 or more come up once in 200


def test_a_sure_effect_says_what_its_nearer_end_would_need() -> None:
    model, suite = listed({"x": 12, "y": 12, "a": 6, "b": 6}, 2.0, 3)
    found = quick(model, suite.tests[0])
    assert found.interval is not None
    end = min(abs(found.interval.low), abs(found.interval.high))
    assert found.by_formula_at_end == required_words(end)
    assert f"would take {found.by_formula_at_end} words" in found.sentence


def test_what_else_is_asked_does_not_change_what_is_drawn() -> None:
    model, test = toys.embedding(0.3), toys.suite().tests[0]
    alone = quick(model, test, lists=["b"])
    both = quick(model, test, lists=["targets", "b"])
    assert both.lists[1] == alone.lists[0]
    assert alone == quick(model, test, lists=["b"])
    assert alone != quick(model, test, lists=["b"], seed=1)


def test_a_record_is_read_back_as_it_was() -> None:
    found = quick(toys.embedding(0.3), toys.suite().tests[0])
    assert SampleSizeReport.model_validate(json.loads(found.model_dump_json())) == found


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"lists": ["target"]}, "did you mean targets"),
        ({"lists": []}, "names none"),
        ({"draws": 0}, "draws is 0"),
        ({"draws": 39}, "draws is 39; it must lie between 40 and 100,000"),
        ({"draws": True}, "draws is True; it must be a whole number"),
        ({"power": 0.04}, "power is 0.04; it must be above alpha"),
        ({"power": 1.0}, "power is 1.0; it must lie above 0 and below 1"),
        ({"within": 0.0}, "within is 0.0; it must be above 0"),
        ({"within": float("nan")}, "within is nan"),
        ({"within": float("inf")}, "within is inf"),
        ({"longest": 1}, "longest is 1"),
        ({"longest": 5_001}, "longest is 5001; it must lie between 2 and 5000"),
        ({"min_coverage": 3.0}, "min_coverage is 3.0; it must lie between 0 and 1"),
        ({"similarity": "cosin"}, "did you mean cosine"),
    ],
)
def test_a_slip_is_one_sentence(settings: dict[str, object], message: str) -> None:
    with pytest.raises((SettingError, UnknownNameError), match=message):
        words_needed(toys.embedding(), toys.suite().tests[0], **settings)  # type: ignore[arg-type]


def test_a_suite_of_several_tests_and_a_list_of_one_word_are_refused() -> None:
    with pytest.raises(SettingError, match="name one"):
        words_needed(toys.embedding(), "caliskan2017")
    model, suite = listed({"x": 4, "y": 4, "a": 1, "b": 3}, 1.0, 0)
    with pytest.raises(UndefinedError, match="The list a of toy/one has one word"):
        quick(model, suite.tests[0])
    assert quick(model, suite.tests[0], lists=["targets"]).lists[0].own == (4, 4)


def test_a_model_without_the_words_is_reported() -> None:
    with pytest.raises(UndefinedError, match="caliskan2017/weat-6: Only 0 of 8"):
        words_needed(toys.embedding(), "caliskan2017/weat-6")


@given(st.lists(st.integers(2, 40), min_size=1, max_size=2), st.integers(2, 90))
def test_lengths_hold_the_lists_own_and_end_with_the_longest(own: list[int], longest: int) -> None:
    tried = [*list_lengths(own, longest)]
    assert tried == sorted(set(tried))
    assert (tried[0], tried[-1]) == (2, longest)
    assert {size for size in own if size <= longest} <= set(tried)
    assert all(after <= max(before + 1, before * 1.2) for before, after in pairwise(tried))


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=8))
def test_enough_means_every_longer_list_too(drawn: list[tuple[float, float]]) -> None:
    lengths = [
        (place + 2, ResampledLists(significant=share, opposite=0, low=-reach, high=reach))
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
    assert f"{at.opposite:.0%} are significant with the opposite sign" in found.sentence


def test_an_end_next_to_zero_is_no_doubt_that_there_is_an_effect() -> None:
    """p at the level, or just below it: the interval ends next to 0, and leaves it out."""
    found = quick(toys.embedding(0.9), toys.suite().tests[0])
    assert found.interval is not None
    for end in (1e-12, 0.02):
        edge = found.interval.model_copy(update={"low": end, "high": 1.5})
        needs = required_words(end)
        assert needs is None
        message = sample_size_sentence(
            found.model_copy(update={"interval": edge, "by_formula_at_end": needs}), 10_000
        )
        assert "no length is enough" not in message
        assert message.endswith("more than 10,000 words in each target list.")
    over = found.interval.model_copy(update={"low": 0.0})
    assert "no length is enough" in sample_size_sentence(
        found.model_copy(update={"interval": over}), 10_000
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


# --- drawing ---


def looked_up(embedding: Embedding) -> Groups:
    return resolve(toys.suite().tests[0], embedding)


def table_of(near: FloatArray, x: int, a: int) -> ListSimilarities:
    sizes = {"x": x, "y": len(near) - x, "a": a, "b": near.shape[1] - a}
    return ListSimilarities(near, sizes, CALISKAN)


@pytest.mark.parametrize("size", [CALISKAN, POPULATION], ids=lambda size: size.name)
def test_a_drawn_list_is_measured_as_the_metric_measures_it(size: object) -> None:
    metric = Weat(COSINE, size)  # type: ignore[arg-type]
    groups = looked_up(toys.embedding(0.4))
    table = similarity_table(groups, metric, groups.source.geometry)
    generator = np.random.default_rng(3)
    for words in (2, 3, 4):
        rows = sublists(table, "xyab", words, generator)
        assert {role: len(set(some.tolist())) for role, some in rows.items()} == dict.fromkeys(
            "xyab", words
        )
        shorter = {role: group.only(rows[role].tolist()) for role, group in groups.groups.items()}
        score = metric.measure(replace(groups, groups=shorter), groups.source.geometry)
        effect, x, y = table.effect_and_leanings(rows)
        assert effect == pytest.approx(score.value, rel=1e-12)
        assert [*x, *y] == pytest.approx([word.leaning for word in score.words], abs=1e-14)


def test_lists_that_do_not_vary_stay_whole_and_short_ones_give_all_they_have() -> None:
    table = table_of(np.zeros((7, 9)), 4, 5)
    generator = np.random.default_rng(0)
    rows = sublists(table, ("x", "y"), 4, generator)
    assert [len(rows[role]) for role in "xyab"] == [4, 3, 5, 4]
    assert new_lists(table, ("b",), 30, generator)["b"].shape == (30,)
    assert set(new_lists(table, ("b",), 300, generator)["b"]) == {0, 1, 2, 3}


@pytest.mark.parametrize("role", ["x", "y", "a", "b"])
def test_stretched_words_have_the_estimated_variance_and_the_same_mean(role: str) -> None:
    near = np.random.default_rng(1).normal(size=(5 + 4, 3 + 6))
    whole = table_of(near, 5, 3)
    part = {
        "x": (slice(0, 5), slice(None)),
        "y": (slice(5, 9), slice(None)),
        "a": (slice(None), slice(0, 3)),
        "b": (slice(None), slice(3, 9)),
    }[role]
    axis = 0 if role in "xy" else 1
    before, after = whole.near[part], whole.stretched(role).near[part]
    assert after.mean(axis) == pytest.approx(before.mean(axis))
    assert after.var(axis, ddof=0) == pytest.approx(before.var(axis, ddof=1))
    others = np.ones_like(near, dtype=bool)
    others[part] = False
    assert (whole.stretched(role).near[others] == near[others]).all()


def test_sublists_agree_more_than_new_lists_because_they_share_words() -> None:
    """The variance of a mean of k of n words is 1 - k/n of that of k new ones, about."""
    generator = np.random.default_rng(4)
    near = generator.normal(size=(60, 40))
    near[:30, :20] += 0.3
    table = table_of(near, 30, 20)
    new = table.stretched(("x", "y"))

    def drawn_new(words: int) -> Rows:
        return new_lists(new, ("x", "y"), words, generator)

    def drawn_sublist(words: int) -> Rows:
        return sublists(table, ("x", "y"), words, generator)

    for words in (6, 15, 24):
        apart = draw_lists(
            new, partial(drawn_new, words), sign=1.0, draws=400, alpha=0.05, seed=0
        ).reach
        shared = draw_lists(
            table, partial(drawn_sublist, words), sign=1.0, draws=400, alpha=0.05, seed=0
        ).reach
        assert apart is not None
        assert shared is not None
        assert shared / apart == pytest.approx(np.sqrt(1 - words / 30), rel=0.2)


def test_under_the_null_a_twentieth_of_lists_is_evident_however_long() -> None:
    generator = np.random.default_rng(2)
    for words in (8, 40):
        found = [
            lists_differ(
                generator.normal(size=words), generator.normal(size=words), alpha=0.05, seed=0
            )
            for _ in range(400)
        ]
        # Three standard errors of 400 tests.
        assert np.mean(found) == pytest.approx(0.05, abs=0.033)


@pytest.mark.parametrize("words", [8, 18])
def test_evidence_is_that_of_the_whole_test(words: int) -> None:
    generator = np.random.default_rng(words)
    for _ in range(25):
        x, y = generator.normal(0.6, size=words), generator.normal(size=words)
        p = permutation_test(x, y).value
        if abs(p - 0.05) > 0.005:
            assert lists_differ(x, y, alpha=0.05, seed=0) == (p <= 0.05)


def test_lists_that_all_lean_alike_have_no_effect_and_are_no_evidence() -> None:
    table = table_of(np.ones((6, 4)), 3, 2)
    found = draw_lists(
        table,
        lambda: new_lists(table, ("x", "y"), 3, np.random.default_rng(0)),
        sign=1.0,
        draws=5,
        alpha=0.05,
        seed=0,
    )
    assert (found.significant, found.opposite, found.low, found.reach) == (0, 0, None, None)


def test_lists_that_are_sure_of_the_contrary_are_counted_apart() -> None:
    """One attribute of A in four disagrees: whichever is drawn decides the sign, and p is small."""
    generator = np.random.default_rng(5)
    near = generator.normal(size=(12, 6)) * 0.1
    near[:6, :3] += 5
    near[6:, 3] += 5
    table = table_of(near, 6, 4)

    def one_of_them() -> Rows:
        return sublists(table, ("a",), 1, generator)

    for sign, share in ((1.0, 0.75), (-1.0, 0.25)):
        found = draw_lists(table, one_of_them, sign=sign, draws=200, alpha=0.05, seed=0)
        assert found.significant + found.opposite == 1
        assert found.significant == pytest.approx(share, abs=0.1)
