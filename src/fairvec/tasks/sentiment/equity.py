"""Bias in the task itself: is a sentence read as more positive if it is about another group?"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fairvec.core.errors import SettingError
from fairvec.geometry import FloatArray
from fairvec.languages.equity import FEELINGS, Feeling, SentencePair
from fairvec.stats import PValue, paired_test


@dataclass(frozen=True, eq=False)
class SentimentDifference:
    """How much more positive the sentences about person a are read, pair by pair.

    D_i = mean over the sentences of pair i of P(positive | a) - P(positive | b)

    one column a training of the classifier; the value is the mean over pairs and trainings. It is a
    difference of probabilities, from -1 to 1: 0.02 says that sentences about group a are read as
    positive with two points more in a hundred, 0 that the group changes nothing.

    Kiritchenko & Mohammad (2018), doi:10.18653/v1/S18-2005.
    """

    by_pair: FloatArray
    by_feeling: dict[Feeling, float]

    @property
    def pairs(self) -> FloatArray:
        """The difference of each pair, as a mean over the trainings."""
        return self._mean(1)

    @property
    def trainings(self) -> FloatArray:
        """The difference in each training, as a mean over the pairs."""
        return self._mean(0)

    @property
    def is_deterministic(self) -> bool:
        """Whether several trainings gave one answer: then nothing in them was random."""
        return self.by_pair.shape[1] > 1 and bool((self.by_pair == self.by_pair[:, :1]).all())

    @property
    def value(self) -> float:
        """The mean difference."""
        return float(self.pairs.mean())

    @property
    def agreeing_trainings(self) -> int:
        """How many trainings lean to the same side as the value."""
        return int((np.sign(self.trainings) == np.sign(self.value)).sum())

    def test(self, seed: int = 0) -> PValue:
        """Return how often pairs that lean either way by chance lean as far, two-sided.

        If the group changes nothing, which person of a pair is a might as well be swapped: the sign
        of D_i is a coin. Exact up to 50 pairs. The unit is the pair of persons and not the
        sentence: sentences about one person share its vector and lean together. With classifiers of
        random weights and persons drawn at random, .05 is reached in 5 % of cases by pairs, and in
        nearly half of them by sentences. It is a statement about the classifiers that were trained:
        whether others would lean alike, the number of trainings that do shows.
        """
        return paired_test(np.zeros(len(self.pairs)), self.pairs, seed=seed)

    def _mean(self, axis: int) -> FloatArray:
        mean: FloatArray = self.by_pair.mean(axis=axis)
        return mean


def sentiment_difference(
    sentences: Sequence[SentencePair], a: FloatArray, b: FloatArray
) -> SentimentDifference:
    """Return the difference in sentiment, given P(positive) of every sentence about a and about b.

    `a` and `b` have one row a sentence and one column a training. Every pair has the same
    sentences, so that templates with many words count by the number of these.
    """
    for probabilities in (a, b):
        if (
            probabilities.ndim != 2
            or len(probabilities) != len(sentences)
            or not probabilities.size
        ):
            raise SettingError(
                f"{len(sentences)} sentences need one row each and one column a training, not "
                f"probabilities of shape {probabilities.shape}."
            )
        if not ((probabilities >= 0) & (probabilities <= 1)).all():
            raise SettingError("A classifier must give probabilities from 0 to 1, and it does not.")
    if a.shape != b.shape:
        raise SettingError(f"Both persons need the same trainings, not {a.shape} and {b.shape}.")
    differences = a - b
    pair_numbers = np.array([sentence.pair for sentence in sentences])
    feelings = np.array([sentence.feeling for sentence in sentences])
    return SentimentDifference(
        np.array(
            [differences[pair_numbers == pair].mean(axis=0) for pair in np.unique(pair_numbers)]
        ),
        {
            feeling: float(_mean_of_pairs(differences[selected], pair_numbers[selected]))
            for feeling in FEELINGS
            if (selected := feelings == feeling).any()
        },
    )


def _mean_of_pairs(differences: FloatArray, pair_numbers: FloatArray) -> float:
    return float(
        np.mean([differences[pair_numbers == pair].mean() for pair in np.unique(pair_numbers)])
    )
