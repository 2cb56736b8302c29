"""Both networks learn what is there, by the seed, and nothing where there is nothing."""

from importlib.util import find_spec

import numpy as np
import pytest

from fairvec.benchmarks import ReviewSet
from fairvec.core.errors import SettingError, UndefinedError, UnknownNameError
from fairvec.tasks.sentiment.classifiers import (
    NETWORKS,
    LstmNetwork,
    MeansNetwork,
    Network,
    encode_texts,
    network_named,
)
from fairvec.tasks.sentiment.predictions import train_classifiers
from tests.tasks.sentiment.toy_reviews import embedding, reviews

SMALL = LstmNetwork(units=8, dense=8, epochs=12, batch=16, rate=0.02)
WITH_TORCH = pytest.mark.skipif(not find_spec("torch"), reason="torch is not installed")
BOTH = pytest.mark.parametrize(
    "network", [pytest.param(SMALL, marks=WITH_TORCH), MeansNetwork()], ids=lambda each: each.name
)


@BOTH
def test_what_is_learnt_is_told_of_other_texts(network: Network) -> None:
    found = train_classifiers(reviews(), embedding(), network, [3, 4])
    asked = ["word1 good2 word3", "word1 bad2 word3", "unknown words only", ""]
    chances = found.predict(asked)
    assert chances.shape == (4, 2)
    assert (chances[0] > 0.5).all()
    assert (chances[1] < 0.5).all()
    # Nothing known: the share of positives, which takes such a text for the commoner class.
    assert chances[2:] == pytest.approx(2 / 3)
    assert found.predict([]).shape == (0, 2)


@BOTH
def test_the_same_seed_is_the_same_network_and_another_need_not_be(network: Network) -> None:
    asked = [review.text for review in reviews(seed=5).reviews]
    one, same = (
        train_classifiers(reviews(), embedding(), network, [0, 1]).predict(asked) for _ in range(2)
    )
    np.testing.assert_array_equal(one, same)
    assert (one[:, 0] == one[:, 1]).all() == (network.name == "means")


def test_training_leaves_no_trace_in_what_others_draw() -> None:
    torch = pytest.importorskip("torch")
    torch.manual_seed(1)
    expected = torch.rand(3)
    torch.manual_seed(1)
    train_classifiers(reviews(12), embedding(), SMALL, [0])
    assert torch.equal(torch.rand(3), expected)
    assert not torch.are_deterministic_algorithms_enabled()


@WITH_TORCH
def test_padding_is_masked() -> None:
    found = train_classifiers(reviews(), embedding(), SMALL, [0])
    alone = found.predict(["good1 word2"])
    beside = found.predict(["good1 word2", "word3 " * 40])
    np.testing.assert_allclose(alone[0], beside[0], rtol=1e-5)


@WITH_TORCH
def test_a_long_review_keeps_its_last_words() -> None:
    short = LstmNetwork(units=8, dense=8, epochs=4, length=2)
    found = train_classifiers(reviews(), embedding(), short, [0])
    told = found.predict(["bad1 bad2 good1 word1", "good3 good4 good1 word1", "good1 word1"])
    np.testing.assert_allclose(told[0], told[1], rtol=1e-6)
    np.testing.assert_allclose(told[0], told[2], rtol=1e-6)


def test_turning_and_scaling_all_vectors_changes_nothing_for_means() -> None:
    plain = embedding()
    turn, _ = np.linalg.qr(np.random.default_rng(2).normal(size=(6, 6)))
    turned = plain.moved_to(7 * np.asarray(plain.vectors) @ turn, plain.history[-1])
    asked = [review.text for review in reviews(seed=5).reviews]
    one, other = (
        train_classifiers(reviews(), each, MeansNetwork(), [0]).predict(asked)
        for each in (plain, turned)
    )
    np.testing.assert_allclose(one, other, atol=1e-3)


def test_points_of_the_ball_are_seen_from_the_origin() -> None:
    flat, curved = embedding(), embedding(ball=True)
    texts = ["good1 bad2", "word3"]
    np.testing.assert_allclose(
        encode_texts(texts, flat).means(), encode_texts(texts, curved).means(), rtol=1e-5
    )


@WITH_TORCH
def test_a_vector_of_nothing_teaches_nothing() -> None:
    plain = embedding()
    gone = plain.moved_to(np.zeros_like(plain.vectors), plain.history[-1])
    for network in (MeansNetwork(), SMALL):
        told = train_classifiers(reviews(), gone, network, [0]).predict(["good1", "bad1"])
        assert told[0] == told[1]


def test_tokens_are_looked_up_and_the_unknown_counted() -> None:
    found = encode_texts(["Good1, zzz: word2!", "zzz yyy"], embedding(), "en")
    assert (found.tokens, found.known) == (5, 2)
    assert found.unknown == {"zzz": 2, "yyy": 1}
    assert found.empty.tolist() == [False, True]
    expected = (embedding().rows(["good1"]) + embedding().rows(["word2"]))[0] / 2
    np.testing.assert_allclose(found.means()[0], expected, rtol=1e-6)
    assert not found.means()[1].any()


def test_settings_are_checked_and_names_offered() -> None:
    assert {kind.name for kind in NETWORKS} == {"lstm", "means"}
    with pytest.raises(UnknownNameError, match="did you mean lstm"):
        network_named("lstn")
    with pytest.raises(SettingError, match=r"dropout is 1\.0"):
        LstmNetwork(dropout=1.0)
    with pytest.raises(SettingError, match="epochs is 0"):
        LstmNetwork(epochs=0)


def test_a_model_of_other_words_is_refused() -> None:
    only = ReviewSet("t", "T", "en", "", "", tuple(reviews().reviews))
    other = embedding()
    strange = type(other)(
        [f"x{n}" for n in range(len(other))], other.vectors, other.geometry, "strange"
    )
    with pytest.raises(UndefinedError, match="strange knows words of too few reviews"):
        train_classifiers(only, strange, MeansNetwork(), [0])
    with pytest.raises(SettingError, match="No seed"):
        train_classifiers(only, other, MeansNetwork(), [])
