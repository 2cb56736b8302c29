"""Words that lean alike in two models: Figure 1 of Kumar et al."""

from dataclasses import dataclass

import numpy as np

from fairvec.embedding import Embedding
from fairvec.evaluation import Audit, Plan, Statistics, run
from fairvec.lexicon import select
from fairvec.metrics import metric
from fairvec.papers.notes import coverage_note
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
            f"component of the pairs: {by_means:.3f}."
        )
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
    shared = [word for word in one if word in other]
    if len(shared) < FEW:
        return None
    rows = np.array([[one[word], -other[word]] for word in shared])
    return float(np.corrcoef(rows.T)[0, 1])
