"""What a change does to the similarity of words, by the benchmarks that are on this machine."""

from dataclasses import dataclass, replace

from fairvec.benchmarks import SimilaritySet, matches_of
from fairvec.embedding import Embedding
from fairvec.evaluation.changes.judge import changes_of_use
from fairvec.evaluation.changes.usefulness import USUAL, Answer, answers, chosen_sets
from fairvec.evaluation.remarks import what_goes_unmeasured
from fairvec.mitigation import Transform
from fairvec.results import Change

LONGEST = 3500
"""Pairs of a benchmark: longer ones are for the command line."""
QUICK = 400
"""Pairs that are asked again within a step of the slider."""
WITHOUT_INTERVALS = replace(USUAL, interval="none")
NOT_ASKED = (
    "Analogies, SemBias and reviews look at every word of a model; 'fairvec debias' asks them."
)

Pairs = list[tuple[Answer, Answer]]


@dataclass(frozen=True, eq=False)
class RatedWords:
    """The benchmarks of similarity at hand, the few words that they hold, and what is known."""

    sets: tuple[SimilaritySet, ...]
    words: Embedding
    before: tuple[Answer, ...]
    remark: str


def rated_words(model: Embedding) -> RatedWords:
    """Take the words of the benchmarks out of a model, and ask about them as they are."""
    found = chosen_sets(model, None)
    sets = tuple(one for one in found if isinstance(one, SimilaritySet) and len(one) <= LONGEST)
    keys = {
        key
        for one in sets
        for match in matches_of(one.words, model, one.language).values()
        for key in match.keys
    }
    rows = sorted(model.positions[key] for key in keys)
    words = replace(
        model, keys=[model.keys[row] for row in rows], vectors=model.vectors[rows], counts=None
    )
    remark = NOT_ASKED if sets else what_goes_unmeasured(model) or NOT_ASKED
    return RatedWords(sets, words, tuple(answers(words, sets, WITHOUT_INTERVALS)), remark)


def asked_again(rated: RatedWords, transform: Transform, *, most: int) -> Pairs:
    """Return the figures before and after of the benchmarks of at most so many pairs."""
    sets = [one for one in rated.sets if len(one) <= most]
    moved = transform.transform(rated.words).named(f"{rated.words.name}, {transform.name}")
    after = answers(moved, sets, WITHOUT_INTERVALS, original=rated.words)
    known = {answer.what: answer for answer in rated.before}
    return [(known[one.what], one) for one in after if one.what in known]


def tested(pairs: Pairs) -> list[Change]:
    """Say of each benchmark what became of its figure, by the paired test over its pairs."""
    return changes_of_use(pairs, USUAL.alpha)
