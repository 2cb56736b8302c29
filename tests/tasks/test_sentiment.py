"""Predictions of the sentiment task and its networks."""

import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.benchmarks import Review, ReviewSet
from fairvec.core.errors import MissingExtraError, SettingError, UndefinedError, UnknownNameError
from fairvec.embedding import Embedding
from fairvec.tasks.sentiment import predictions as kept_answers
from fairvec.tasks.sentiment import predictions as module
from fairvec.tasks.sentiment.classifiers import (
    NETWORKS,
    EncodedReviews,
    LstmNetwork,
    MeansNetwork,
    Network,
    encode_reviews,
    encode_texts,
    find_network,
    fit_classifier,
)
from fairvec.tasks.sentiment.predictions import (
    SentimentClassifiers,
    cross_validate,
    cross_validate_all,
    make_folds,
)
from fairvec.tasks.sentiment.task import SentimentTask, classification_scores
from tests.tasks.toys import embedding, reviews


def encoded(own: ReviewSet | None = None, model: Embedding | None = None) -> EncodedReviews:
    return encode_reviews(own or reviews(), model or embedding())


# --- Every review is predicted once a pass by what did not learn from it; nothing is done twice


@given(
    positive=st.integers(4, 40),
    negative=st.integers(4, 40),
    count=st.integers(2, 4),
    seed=st.integers(0, 9),
)
def test_folds_part_the_reviews_and_have_their_share_of_each_class(
    positive: int, negative: int, count: int, seed: int
) -> None:
    made = tuple(Review(str(at), at < positive) for at in range(positive + negative))
    own = ReviewSet("t", "T", "en", "", "", made)
    folds = [*make_folds(own, seed, count)]
    every = np.concatenate([fold.test for fold in folds])
    assert sorted(every) == [*range(len(own))]
    sizes = [len(fold.test) for fold in folds]
    shares = [int((fold.test < positive).sum()) for fold in folds]
    assert max(sizes) - min(sizes) <= 1
    assert max(shares) - min(shares) <= 1
    for fold in folds:
        assert not {*fold.train} & {*fold.test}
        assert len(fold.train) + len(fold.test) == len(own)
    assert len(own) < 10 or any(
        (one.test != other.test[: len(one.test)]).any()
        for one, other in zip(folds, make_folds(own, seed + 1, count), strict=True)
        if len(one.test) == len(other.test)
    )


def test_reviews_of_one_text_share_a_fold() -> None:
    own = reviews(30)
    spaced = tuple(review._replace(text=f"  {review.text}\n") for review in own.reviews)
    twice = ReviewSet("t", "T", "en", "", "", (*own.reviews, *spaced))
    for fold in make_folds(twice, 3, 4):
        assert {*fold.test % 30} & {*fold.train % 30} == set()
    same = tuple(Review("one text", bool(at % 2)) for at in range(20))
    with pytest.raises(SettingError, match="0 positive reviews of different texts"):
        [*make_folds(ReviewSet("t", "T", "en", "", "", same), 0, 2)]


def test_a_published_split_is_one_fold_whatever_the_seed() -> None:
    own = reviews(split=True)
    (one,), (other,) = make_folds(own, 0, 5), make_folds(own, 1, 5)
    assert one.test.tolist() == other.test.tolist() == [*range(0, 60, 4)]
    found = cross_validate(encoded(own), MeansNetwork(), [0, 1])
    assert found.probabilities.shape == (15, 2)
    assert (found.probabilities[:, 0] == found.probabilities[:, 1]).all()


def test_more_folds_than_reviews_of_a_class_are_refused() -> None:
    with pytest.raises(
        SettingError, match="has 4 negative reviews of different texts, fewer than the 5 folds"
    ):
        cross_validate(encoded(reviews(12)), MeansNetwork(), [0], 5)
    with pytest.raises(SettingError, match="1 folds leave nothing"):
        cross_validate(encoded(reviews(12)), MeansNetwork(), [0], 1)
    for seeds in ([], [1, 1]):
        with pytest.raises(SettingError, match="a seed of its own"):
            cross_validate(encoded(reviews(12)), MeansNetwork(), seeds, 2)


def test_what_is_predicted_was_not_learnt() -> None:
    """Texts that say nothing but who they are: learnt by heart, unless they are held out."""
    words = [f"word{n}" for n in range(30)]
    made = tuple(Review(word, bool(at % 2)) for at, word in enumerate(words))
    own = ReviewSet("t", "T", "en", "", "", made)
    hearts = embedding(0, seed=1)
    rows = np.zeros((len(hearts), 30))
    rows[-30:] = np.eye(30)
    known = type(hearts)(hearts.keys, rows, hearts.geometry, "hearts")
    found = cross_validate(encoded(own, known), MeansNetwork(penalty=0.01), range(3), 5)
    assert found.correct.mean() < 0.7  # by heart it would be 1


def test_a_review_without_a_known_token_is_called_by_the_commoner_class() -> None:
    own = reviews(30)
    more = ReviewSet("t", "T", "en", "", "", (*own.reviews, Review("qqq", False)))
    both = encoded(more)
    found = cross_validate(both, MeansNetwork(), [0], 3)
    assert 0.6 < found.probabilities[-1, 0] < 0.75
    assert both.texts.unknown == {"qqq": 1}


def test_finished_trainings_are_not_done_again(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    small = LstmNetwork(units=4, dense=4, epochs=2)
    reports: list[tuple[int, int]] = []
    first = cross_validate(
        encoded(),
        small,
        [0, 1],
        3,
        folder=tmp_path,
        progress=lambda *at: reports.append(at),
    )
    # Six trainings of two epochs, side by side.
    assert (reports[0], reports[-1]) == ((0, 12), (12, 12))
    assert reports == sorted(reports)
    files = sorted(tmp_path.iterdir())
    assert len(files) == 6
    with patch.object(module, "fit_classifier", side_effect=AssertionError):
        again = cross_validate(encoded(), small, [0, 1], 3, folder=tmp_path)
    np.testing.assert_array_equal(first.probabilities, again.probabilities)
    # Half a file, another's content, a copy, one that is gone: that training alone is done again.
    files[0].write_text(files[0].read_text(encoding="utf-8")[:-9], encoding="utf-8")
    files[1].write_text('{"chances": [2, "a"]}', encoding="utf-8")
    files[2].unlink()
    files[3].write_bytes(files[4].read_bytes())
    with patch.object(module, "fit_classifier", wraps=fit_classifier) as training:
        third = cross_validate(encoded(), small, [0, 1], 3, folder=tmp_path)
    assert training.call_count == 4
    np.testing.assert_array_equal(first.probabilities, third.probabilities)


def test_without_torch_the_regression_works_and_the_lstm_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def of_what_is_there(package: str) -> str:
        if package == "torch":
            raise PackageNotFoundError(package)
        return version(package)

    monkeypatch.setattr(kept_answers, "version", of_what_is_there)
    monkeypatch.setitem(sys.modules, "torch", None)
    assert cross_validate(encoded(reviews(12)), MeansNetwork(), [0], 2).probabilities.shape == (
        12,
        1,
    )
    with pytest.raises(MissingExtraError, match=r"^Training an LSTM needs an extra: pip install"):
        cross_validate(encoded(reviews(12)), LstmNetwork(), [0], 2)


def test_an_interrupted_run_goes_on(tmp_path: Path) -> None:
    def stop(done: int, _: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cross_validate(
            encoded(),
            MeansNetwork(),
            [0],
            5,
            folder=tmp_path,
            progress=stop,
        )
    assert len([*tmp_path.iterdir()]) == 2
    with patch.object(module, "fit_classifier", wraps=fit_classifier) as training:
        cross_validate(encoded(), MeansNetwork(), [0], 5, folder=tmp_path)
    assert training.call_count == 3


def test_another_model_text_or_setting_is_another_training(tmp_path: Path) -> None:
    def files() -> int:
        return len([*tmp_path.iterdir()])

    def ask(network: object = MeansNetwork(), folds: int = 2, **other: object) -> int:
        own, model = other.get("own", reviews()), other.get("model", embedding())
        cross_validate(encoded(own, model), network, [0], folds, folder=tmp_path)  # type: ignore[arg-type]
        return files()

    assert [ask(), ask(), ask(MeansNetwork(penalty=2)), ask(folds=3)] == [2, 2, 4, 7]
    assert ask(model=embedding(0.9)) == 9
    assert ask(own=reviews(seed=1)) == 11
    flipped = ReviewSet(
        "t",
        "T",
        "en",
        "",
        "",
        tuple(r._replace(positive=not r.positive) for r in reviews().reviews),
    )
    assert ask(own=flipped) == 13


def test_the_figures_are_those_of_scikit_learn() -> None:
    from sklearn.metrics import accuracy_score, precision_recall_fscore_support

    found = cross_validate(encoded(model=embedding(0.1)), MeansNetwork(), range(3), 3)
    figures = classification_scores(found)
    for place in range(3):
        predicted = found.predicted_positive[:, place]
        assert figures["accuracy"].by_pass[place] == accuracy_score(found.positive, predicted)
        theirs = precision_recall_fscore_support(found.positive, predicted, zero_division=0)
        for row, name in enumerate(("precision", "recall", "f1")):
            for column, side in enumerate(("negative", "positive")):
                own = figures[f"{name}, {side}"].by_pass[place]
                assert own == pytest.approx(theirs[row][column])


def test_passes_of_another_seed_share_none() -> None:
    assert not {*SentimentTask(seed=0, passes=50).seeds} & {*SentimentTask(seed=1, passes=50).seeds}
    assert SentimentTask(passes=3).seeds == SentimentTask(passes=9).seeds[:3]
    with pytest.raises(SettingError, match="passes is 10001; it must lie between 1 and 10,000"):
        SentimentTask(passes=10_001)
    assert SentimentTask(LstmNetwork()).is_random(split=True)
    assert not SentimentTask(MeansNetwork()).is_random(split=True)


# --- Classifiers of other texts train nothing twice ---


def test_reviews_are_encoded_once_and_classifiers_trained_once(tmp_path: Path) -> None:
    model, read = embedding(), reviews(30)
    texts = [review.text for review in read.reviews[:5]]
    wanted = SentimentClassifiers(encoded(read, model), MeansNetwork(), [1, 1]).predict(texts)
    asked = SentimentClassifiers(encoded(read, model), MeansNetwork(), (1, 1), tmp_path)
    with patch.object(module, "fit_classifier", wraps=fit_classifier) as training:
        assert np.array_equal(asked.predict(texts), wanted)
        assert np.array_equal(asked.predict(texts[:3]), wanted[:3])
    assert training.call_count == 1
    again = SentimentClassifiers(encoded(read, model), MeansNetwork(), (1, 1), tmp_path)
    with patch.object(module, "fit_classifier", side_effect=AssertionError):
        assert np.array_equal(again.predict(texts), wanted)
    other = SentimentClassifiers(encoded(read, model), MeansNetwork(), (2,), tmp_path)
    with patch.object(module, "fit_classifier", wraps=fit_classifier) as training:
        other.predict(texts)
    assert training.call_count == 1


def test_without_a_folder_nothing_is_kept(tmp_path: Path) -> None:
    asked = SentimentClassifiers(encoded(reviews(30)), MeansNetwork(), (1,))
    assert asked.predict(["good"]).shape == (1, 1)
    assert not [*tmp_path.iterdir()]


# --- Both networks learn what is there, by the seed, and nothing where there is nothing ---


SMALL = LstmNetwork(units=8, dense=8, epochs=12, batch=16, rate=0.02)
WITH_TORCH = pytest.mark.skipif(not find_spec("torch"), reason="torch is not installed")
BOTH = pytest.mark.parametrize(
    "network", [pytest.param(SMALL, marks=WITH_TORCH), MeansNetwork()], ids=lambda each: each.name
)


@BOTH
def test_what_is_learnt_is_reported_of_other_texts(network: Network) -> None:
    found = SentimentClassifiers(encoded(), network, [3, 4])
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
    one, same = (SentimentClassifiers(encoded(), network, [0, 1]).predict(asked) for _ in range(2))
    np.testing.assert_array_equal(one, same)
    assert (one[:, 0] == one[:, 1]).all() == (network.name == "means")


def test_training_leaves_no_trace_in_what_others_draw() -> None:
    torch = pytest.importorskip("torch")
    torch.manual_seed(1)
    expected = torch.rand(3)
    torch.manual_seed(1)
    threads = torch.get_num_threads()
    cross_validate(encoded(reviews(12)), SMALL, [0], 3)
    assert torch.equal(torch.rand(3), expected)
    assert not torch.are_deterministic_algorithms_enabled()
    with ThreadPoolExecutor(1) as pool:
        assert {torch.get_num_threads(), pool.submit(torch.get_num_threads).result()} == {threads}


@WITH_TORCH
def test_trainings_side_by_side_are_those_alone() -> None:
    models = [encoded(model=embedding(seed=seed)) for seed in (0, 1)]
    together = cross_validate_all(models, SMALL, [0, 1], 3)
    for model, found in zip(models, together, strict=True):
        alone = cross_validate(model, SMALL, [0, 1], 3)
        np.testing.assert_array_equal(found.probabilities, alone.probabilities)
    assert not np.array_equal(together[0].probabilities, together[1].probabilities)


@WITH_TORCH
def test_a_training_that_fails_stops_those_to_come(tmp_path: Path) -> None:
    """A regression is asked one after the other, LSTMs side by side: both end with the reason."""
    with (
        patch.object(module, "fit_classifier", side_effect=UndefinedError("no use")) as training,
        pytest.raises(UndefinedError, match="no use"),
    ):
        cross_validate(encoded(), SMALL, range(50), 3, folder=tmp_path)
    assert training.call_count < 150
    assert not [*tmp_path.iterdir()]


@WITH_TORCH
def test_padding_is_masked() -> None:
    found = SentimentClassifiers(encoded(), SMALL, [0])
    alone = found.predict(["good1 word2"])
    beside = found.predict(["good1 word2", "word3 " * 40])
    np.testing.assert_allclose(alone[0], beside[0], rtol=1e-5)


@WITH_TORCH
def test_a_long_review_keeps_its_last_words() -> None:
    short = LstmNetwork(units=8, dense=8, epochs=4, length=2)
    found = SentimentClassifiers(encoded(), short, [0])
    predicted = found.predict(["bad1 bad2 good1 word1", "good3 good4 good1 word1", "good1 word1"])
    np.testing.assert_allclose(predicted[0], predicted[1], rtol=1e-6)
    np.testing.assert_allclose(predicted[0], predicted[2], rtol=1e-6)


def test_turning_and_scaling_all_vectors_changes_nothing_for_means() -> None:
    plain = embedding()
    turn, _ = np.linalg.qr(np.random.default_rng(2).normal(size=(6, 6)))
    turned = plain.with_vectors(7 * np.asarray(plain.vectors) @ turn, plain.history[-1])
    asked = [review.text for review in reviews(seed=5).reviews]
    one, other = (
        SentimentClassifiers(encoded(model=each), MeansNetwork(), [0]).predict(asked)
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
    gone = plain.with_vectors(np.zeros_like(plain.vectors), plain.history[-1])
    for network in (MeansNetwork(), SMALL):
        predicted = SentimentClassifiers(encoded(model=gone), network, [0]).predict(
            ["good1", "bad1"]
        )
        assert predicted[0] == predicted[1]


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
        find_network("lstn")
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
        SentimentClassifiers(encoded(only, strange), MeansNetwork(), [0]).predict(["x1"])
    with pytest.raises(SettingError, match="No seed"):
        SentimentClassifiers(encoded(only, other), MeansNetwork(), []).predict(["x1"])
