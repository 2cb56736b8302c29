"""The table behind a heat map: what a record says of each pair of words."""

from statistics import fmean

import numpy as np
import pytest

from fairvec.experiments.audit.plan import Audit, Plan
from fairvec.experiments.audit.run import run
from fairvec.geometry import NEGATIVE_DISTANCE
from fairvec.lexicon import SelectedTest
from fairvec.metrics import Weat
from fairvec.metrics.bias import weat as association
from fairvec.metrics.bias.weat import AttributeSimilarities
from fairvec.results import Result, as_jsonl
from tests import toys


def measured(metric: Weat | None = None) -> Result:
    tests = (SelectedTest(toys.suite(), toys.suite().tests[0]),)
    (outcome,) = run(Plan((Audit(toys.embedding(1.0), tests, metric or Weat()),)))
    assert isinstance(outcome, Result)
    return outcome


def attributes(result: Result) -> list[str]:
    return [key for group in result.coverage if group.role in "ab" for key in group.entries]


def test_each_pair_has_the_cosine_of_its_two_vectors() -> None:
    result, embedding = measured(), toys.embedding(1.0)
    vector = dict(zip(embedding.keys, embedding.vectors, strict=True))
    assert len(result.similarities) == len(result.words)
    for word, row in zip(result.words, result.similarities, strict=True):
        for other, similarity in zip(attributes(result), row, strict=True):
            one, two = vector[word.key], vector[other]
            cosine = float(one @ two / np.linalg.norm(one) / np.linalg.norm(two))
            assert similarity == pytest.approx(cosine, abs=6e-4)
            assert similarity == round(similarity, 3)


@pytest.mark.parametrize("metric", [Weat(), Weat(similarity=NEGATIVE_DISTANCE)])
def test_the_means_of_a_row_are_the_words_closeness_to_a_and_to_b(metric: Weat) -> None:
    result = measured(metric)
    of_a = sum(group.found for group in result.coverage if group.role == "a")
    for word, row in zip(result.words, result.similarities, strict=True):
        assert fmean(row[:of_a]) == pytest.approx(word.to_a, abs=6e-4)
        assert fmean(row[of_a:]) == pytest.approx(word.to_b, abs=6e-4)


def test_of_very_many_pairs_none_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = sum(map(len, measured().similarities))
    monkeypatch.setattr(association, "MOST_PAIRS", pairs)
    assert measured().similarities
    monkeypatch.setattr(association, "MOST_PAIRS", pairs - 1)
    assert measured().similarities == ()
    assert '"similarities":[]' in as_jsonl([measured()])


def test_sentences_of_one_attribute_become_one_column() -> None:
    near = AttributeSimilarities(np.array([[1.0, 3.0, 5.0]]), np.array([[2.0, 4.0]]))
    words = near.mean_by_attribute({"a": [2, 1], "b": [2], "x": [1]})
    assert words.to_a.tolist() == [[2.0, 5.0]]
    assert words.to_b.tolist() == [[3.0]]
