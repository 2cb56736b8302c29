"""Classifiers on demand say what trained ones say, and train nothing twice."""

from pathlib import Path
from unittest.mock import patch

import numpy as np

from fairvec.tasks.sentiment import predictions as module
from fairvec.tasks.sentiment.classifiers import MeansNetwork
from fairvec.tasks.sentiment.predictions import ClassifiersOnDemand, train_classifiers
from tests.tasks.sentiment.toy_reviews import embedding, reviews


def test_they_say_what_trained_ones_say_and_keep_it(tmp_path: Path) -> None:
    model, read = embedding(), reviews(30)
    texts = [review.text for review in read.reviews[:5]]
    wanted = train_classifiers(read, model, MeansNetwork(), [1, 1]).predict(texts)
    asked = ClassifiersOnDemand(read, model, MeansNetwork(), (1, 1), tmp_path)
    with patch.object(module, "train_classifiers", wraps=train_classifiers) as training:
        assert np.array_equal(asked.predict(texts), wanted)
        assert np.array_equal(asked.predict(texts[:3]), wanted[:3])
    assert training.call_count == 1
    again = ClassifiersOnDemand(read, model, MeansNetwork(), (1, 1), tmp_path)
    with patch.object(module, "train_classifiers", side_effect=AssertionError):
        assert np.array_equal(again.predict(texts), wanted)
    other = ClassifiersOnDemand(read, model, MeansNetwork(), (2,), tmp_path)
    with patch.object(module, "train_classifiers", wraps=train_classifiers) as training:
        other.predict(texts)
    assert training.call_count == 1


def test_without_a_folder_nothing_is_kept(tmp_path: Path) -> None:
    asked = ClassifiersOnDemand(reviews(30), embedding(), MeansNetwork(), (1,))
    assert asked.predict(["good"]).shape == (1, 1)
    assert not [*tmp_path.iterdir()]
