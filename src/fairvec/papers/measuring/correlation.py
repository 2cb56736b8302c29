"""Words that lean alike in two models: Figure 1 of Kumar et al."""

from dataclasses import dataclass

import numpy as np

from fairvec.embedding import Embedding
from fairvec.evaluation import Audit, Plan, Statistics, run
from fairvec.ground.errors import UndefinedError
from fairvec.ground.numbers import number
from fairvec.lexicon import Test, resolve, select
from fairvec.metrics import Metric, metric
from fairvec.papers.grading.notes import coverage_note
from fairvec.results import Description, Outcome

FEW = 3
_QUICK = Statistics(resamples=1_000)


@dataclass(frozen=True)
class Correlation:
    """Pearson's r over words, with the direction of direct bias found in two ways.

    1: a word that leans to B in one model does so in the other, in proportion; 0: one says nothing
    of the other. None if the words are missing; `notes` say so.
    """

    by_pairs: float | None
    notes: tuple[str, ...]
    outcomes: tuple[Outcome, ...]


def correlated(curved: Embedding, flat: Embedding, test: str) -> Correlation:
    """Correlate the gyrocosine bias of one model with the signed direct bias of another.

    Direct bias is positive towards A and gyrocosine bias towards B, so the first is turned round.
    Kumar et al. (2020), arXiv:2109.13767, Figure 1: 0.952 over the professions.
    """
    gamma = _described(curved, test, "gyrocosine-bias")
    direct = {
        how: _described(flat, test, "signed-direct-bias", direction=how)
        for how in ("pairs-pca", "mean-difference")
    }
    outcomes = (gamma, *direct.values())
    by_pairs, by_means = (_pearson(gamma, one) for one in direct.values())
    notes = [note for one in (gamma, direct["pairs-pca"]) for note in coverage_note(one)]
    if by_means is not None:
        notes.append(
            f"{flat.name} with the direction between the two means instead of the principal "
            f"component of the pairs: {number(by_means, 3)}."
        )
    if by_pairs is not None:
        notes += _without_a_pair(curved, flat, test)
    return Correlation(by_pairs, tuple(notes), outcomes)


def _described(embedding: Embedding, test: str, name: str, **settings: str) -> Outcome:
    (outcome,) = run(
        Plan((Audit(embedding, tuple(select([test])), metric(name, **settings)),), _QUICK)
    )
    return outcome


def _pearson(gamma: Outcome, direct: Outcome) -> float | None:
    if not (isinstance(gamma, Description) and isinstance(direct, Description)):
        return None
    one, other = ({word.word: word.score for word in each.words} for each in (gamma, direct))
    return _over_words(one, other)


def _over_words(gamma: dict[str, float], direct: dict[str, float]) -> float | None:
    shared = [word for word in gamma if word in direct]
    if len(shared) < FEW:
        return None
    rows = np.array([[gamma[word], -direct[word]] for word in shared])
    return float(np.corrcoef(rows.T)[0, 1])


def _without_a_pair(curved: Embedding, flat: Embedding, test: str) -> list[str]:
    """Say how far the correlation hangs on one of the pairs from which both directions come."""
    whole = select([test])[0].test
    direct = metric("signed-direct-bias", direction="pairs-pca")
    models = ((curved, metric("gyrocosine-bias")), (flat, direct))
    found: dict[str, float] = {}
    for place, pair in enumerate(zip(*(whole.sets[role].words for role in "ab"), strict=True)):
        less = _less(whole, place)
        try:
            sides = [_leanings(less, *each) for each in models]
        except UndefinedError:
            continue
        if (r := _over_words(*sides)) is not None:
            found["-".join(word.word for word in pair)] = r
    if len(found) < FEW:
        return []
    low, high = (choose(found, key=found.__getitem__) for choose in (min, max))
    return [
        f"With one of the {len(found)} pairs left out, from {number(found[low], 3)} (without "
        f"{low}) to {number(found[high], 3)} (without {high})."
    ]


def _leanings(test: Test, embedding: Embedding, how: Metric) -> dict[str, float]:
    score = how.measure(resolve(test, embedding), embedding.geometry)
    return {share.found.word.word: share.leaning for share in score.words}


def _less(test: Test, place: int) -> Test:
    """Return a paired test without one of its pairs."""
    cut = {
        role: each.model_copy(update={"words": each.words[:place] + each.words[place + 1 :]})
        for role, each in test.sets.items()
        if role in "ab"
    }
    return test.model_copy(update={"sets": {**test.sets, **cut}})
