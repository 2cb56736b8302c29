"""Figures of a model that are not tests: correlated biases, variance of pairs, jobs, analogies."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from fairvec.benchmarks import find_words
from fairvec.core.errors import LexiconError, UndefinedError
from fairvec.core.format import format_number
from fairvec.embedding import Embedding
from fairvec.experiments.audit.plan import Statistics
from fairvec.experiments.audit.run import run_tests
from fairvec.experiments.debiasing.concept_view import concept_view
from fairvec.geometry.directions import explained_variance_ratio, pairs_pca
from fairvec.geometry.norms import normalize_rows
from fairvec.languages.language import DEFAULT_LANGUAGE
from fairvec.languages.people import people_lists
from fairvec.lexicon import Concept, ConceptWords, Test, concept, resolve, select_tests
from fairvec.messages.papers import found_words_note
from fairvec.metrics import Metric, metric
from fairvec.metrics.bias.vocabulary import require_vocabulary
from fairvec.metrics.utility import Analogies
from fairvec.mitigation.specific_words import rank_unseen, training_words
from fairvec.papers.models import coverage_note
from fairvec.papers.schema import ConceptReading, UnavailableError
from fairvec.results import Outcome
from fairvec.results.records import ConceptView, Description
from fairvec.stats import Interval
from fairvec.stats.proportions import RankedShare, ranked_share

FEW = 3
_FEW_RESAMPLES = Statistics(resamples=1_000)


@dataclass(frozen=True)
class Correlation:
    """Pearson's r over words, with the direction of direct bias found in two ways.

    1: a word that leans to B in one model does so in the other, in proportion; 0: one says nothing
    of the other. None if the words are missing; `notes` say so. `words` counts those of both.
    """

    by_pairs: float | None
    words: int
    notes: tuple[str, ...]
    outcomes: tuple[Outcome, ...]


def bias_correlation(curved: Embedding, flat: Embedding, test: str) -> Correlation:
    """Correlate the gyrocosine bias of one model with the signed direct bias of another.

    Direct bias is positive towards A and gyrocosine bias towards B, so the first is turned round.
    Kumar et al. (2020), arXiv:2109.13767, Figure 1: 0.952 over the professions.
    """
    gamma = _run_metric(curved, test, "gyrocosine-bias")
    direct = {
        direction: _run_metric(flat, test, "signed-direct-bias", direction=direction)
        for direction in ("pairs-pca", "mean-difference")
    }
    outcomes = (gamma, *direct.values())
    (by_pairs, words), (by_means, _) = (_pearson(gamma, outcome) for outcome in direct.values())
    notes = [
        note for outcome in (gamma, direct["pairs-pca"]) for note in _correlated_words_note(outcome)
    ]
    if by_means is not None:
        notes.append(
            f"{flat.name} with the direction between the two means instead of the principal "
            f"component of the pairs: {format_number(by_means, 3)}."
        )
    if by_pairs is not None:
        notes += _leave_one_pair_out(curved, flat, test)
    return Correlation(by_pairs, words, tuple(notes), outcomes)


def _correlated_words_note(outcome: Outcome) -> Iterator[str]:
    """Yield how many of the words are correlated; those of A and B only give the direction."""
    if not isinstance(outcome, Description):
        yield from coverage_note(outcome)
        return
    targets = [group for group in outcome.coverage if group.role not in ("a", "b")]
    found, wanted = (sum(getattr(g, name) for g in targets) for name in ("found", "wanted"))
    if found < wanted:
        yield found_words_note(outcome.model.name, found, wanted, outcome.test.id)


def _run_metric(embedding: Embedding, test: str, name: str, **settings: str) -> Outcome:
    (outcome,) = run_tests(
        embedding, select_tests([test]), metric(name, **settings), _FEW_RESAMPLES
    )
    return outcome


def _pearson(gamma: Outcome, direct: Outcome) -> tuple[float | None, int]:
    """Return the correlation, and over how many words."""
    if not (isinstance(gamma, Description) and isinstance(direct, Description)):
        return None, 0
    gamma_scores, direct_scores = (
        {word.word: word.score for word in outcome.words} for outcome in (gamma, direct)
    )
    return _correlate(gamma_scores, direct_scores), len(gamma_scores.keys() & direct_scores.keys())


def _correlate(gamma: dict[str, float], direct: dict[str, float]) -> float | None:
    shared = [word for word in gamma if word in direct]
    if len(shared) < FEW:
        return None
    rows = np.array([[gamma[word], -direct[word]] for word in shared])
    return float(np.corrcoef(rows.T)[0, 1])


def _leave_one_pair_out(curved: Embedding, flat: Embedding, test: str) -> list[str]:
    """Return a note on the range of the correlation when one defining pair is left out."""
    full_test = select_tests([test])[0].test
    direct = metric("signed-direct-bias", direction="pairs-pca")
    models = ((curved, metric("gyrocosine-bias")), (flat, direct))
    found: dict[str, float] = {}
    for index, pair in enumerate(zip(*(full_test.sets[role].words for role in "ab"), strict=True)):
        reduced = _drop_pair(full_test, index)
        try:
            scores = [_leanings(reduced, *model_metric) for model_metric in models]
        except UndefinedError:
            continue
        if (r := _correlate(*scores)) is not None:
            found["-".join(word.word for word in pair)] = r
    if len(found) < FEW:
        return []
    low, high = (choose(found, key=found.__getitem__) for choose in (min, max))
    return [
        f"With one of the {len(found)} pairs left out, from {format_number(found[low], 3)} "
        f"(without {low}) to {format_number(found[high], 3)} (without {high})."
    ]


def _leanings(test: Test, embedding: Embedding, measure: Metric) -> dict[str, float]:
    score = measure.measure(resolve(test, embedding), embedding.geometry)
    return {share.found.word.word: share.leaning for share in score.words}


def _drop_pair(test: Test, index: int) -> Test:
    """Return a paired test without one of its pairs."""
    shortened = {
        role: wordset.model_copy(
            update={"words": wordset.words[:index] + wordset.words[index + 1 :]}
        )
        for role, wordset in test.sets.items()
        if role in "ab"
    }
    return test.model_copy(update={"sets": {**test.sets, **shortened}})


@dataclass(frozen=True)
class ConceptFigure:
    """A number under the paper's convention and under fairvec's default, and a note.

    `interval` is that of the default, where one is known.
    """

    papers: float
    default: float
    note: str
    interval: Interval | None = None


FEWEST = 3
"""Fewer words of a kind give no figure."""


@dataclass(frozen=True)
class JobWords:
    """The keys of jobs in the masculine, in the feminine, and for either gender."""

    masculine: tuple[str, ...]
    feminine: tuple[str, ...]
    neutral: tuple[str, ...]

    @property
    def description(self) -> str:
        """How many there are, in words."""
        return (
            f"{len(self.masculine)} masculine, {len(self.feminine)} feminine and "
            f"{len(self.neutral)} neutral words for jobs, a list of ours"
        )


def job_axis_auc(embedding: Embedding, of: Concept) -> ConceptFigure:
    """Read off how well an axis tells masculine from feminine words for jobs.

    The share of all couples of a masculine and a feminine word in which the first lies further to
    the masculine side, ties counting half: 1 is all, 1/2 is chance. The axis is the difference of
    the pair, by default the principal component of the concept's own pairs.

    Bharti (2021), Figure 3.2: x is the projection on the difference of हमारा and हमारी.
    """
    jobs = _jobs(embedding, of.language)
    papers, default = (_auc(embedding, jobs, concept) for concept in (of, of.choosing(of.default)))
    note = f"By {of.name}, by default {of.choosing(of.default).name}; {jobs.description}."
    return ConceptFigure(papers.value, default.value, note, default.interval)


def job_svm_auc(embedding: Embedding, of: Concept) -> ConceptFigure:
    """Read off how well a linear SVM ranks gendered above neutral words for jobs.

    The share of all couples of a gendered and a neutral word that the direction ranks right, each
    word judged by the one of five SVMs that has not seen it, seed words left out: 1 is all, 1/2 is
    chance.

    Bharti (2021), Figure 3.2 and section 3.3.3.
    """
    training = training_words(embedding, of)
    ranked = dict(zip(training.rows.tolist(), rank_unseen(training).tolist(), strict=True))
    rare = (key for key, row in embedding.positions.items() if row not in ranked)
    jobs = _jobs(embedding, of.language, excluded={*training.listed.keys, *rare})
    scores = [
        np.array([ranked[embedding.positions[key]] for key in keys])
        for keys in ((*jobs.masculine, *jobs.feminine), jobs.neutral)
    ]
    found = ranked_share(*scores)
    note = (
        f"{of.name}: the direction, not its threshold at C = 1, above which lie "
        f"{np.mean(scores[0] > 0):.2f} of the gendered and {np.mean(scores[1] > 0):.2f} of the "
        f"neutral words; {jobs.description}, without those of the concept."
    )
    return ConceptFigure(found.value, found.value, note, found.interval)


def _jobs(embedding: Embedding, language: str, excluded: Iterable[str] = ()) -> JobWords:
    lists = people_lists(language)
    men, women = (lists.persons[side].get("job", ()) for side in ("a", "b"))
    found = (_keys(embedding, words, language) for words in (men, women, tuple(lists.occupations)))
    excluded_keys = {*excluded}
    jobs = JobWords(
        *(tuple(dict.fromkeys(key for key in keys if key not in excluded_keys)) for keys in found)
    )
    if min(map(len, (jobs.masculine, jobs.feminine, jobs.neutral))) < FEWEST:
        raise LexiconError(
            f"{jobs.description} can be used, and {FEWEST} of each must be; use a model that knows "
            "more of them."
        )
    return jobs


def _keys(embedding: Embedding, words: Sequence[str], language: str) -> Iterator[str]:
    lookup = embedding.lookup(language)
    for word in words:
        match = lookup.find((word,))
        if match is not None and not match.parts and embedding.rows(match.keys).any():
            yield match.key


def _auc(embedding: Embedding, jobs: JobWords, of: Concept) -> RankedShare:
    found = ConceptWords(of, embedding).pairs_of(of.definition, of.name).pairs
    a, b = (embedding.rows([pair[side] for pair in found]) for side in (0, 1))
    axis = pairs_pca(a, b)
    men, women = (
        normalize_rows(embedding.rows(list(keys))) @ axis
        for keys in (jobs.masculine, jobs.feminine)
    )
    return ranked_share(men, women)


PAIRS_OF_THESIS = 10
"""How many pairs the thesis took."""


def concept_figure(embedding: Embedding, reading: ConceptReading, name: str) -> ConceptFigure:
    """Return a figure about a concept's words; raise UnavailableError if there is none."""
    readers: dict[ConceptReading, Callable[[Embedding, Concept], ConceptFigure]] = {
        "pair-variance": variance_of_pairs,
        "specific-words": specific_word_auc,
        "jobs-on-the-axis": job_axis_auc,
        "jobs-beside-the-line": job_svm_auc,
    }
    try:
        return readers[reading](embedding, concept(name))
    except (LexiconError, UndefinedError) as error:
        raise UnavailableError(f"{embedding.name}: {error}") from None


def drawn_view(embedding: Embedding, reading: ConceptReading, name: str) -> ConceptView | None:
    """Return what a figure about a concept draws: the components of its pairs, or its words."""
    view = concept_view(embedding, concept(name))
    if view is None:
        return None
    left_out = "words" if reading == "pair-variance" else "components"
    return view.model_copy(update={left_out: ()})


def variance_of_pairs(embedding: Embedding, of: Concept) -> ConceptFigure:
    """Read off the share of the variance of pairs' differences in their first component.

    s_1^2 / sum_i s_i^2, the s_i being the singular values of the differences: brought to length one
    in the thesis, as they are between words of length one by default. Near 1 all the pairs differ
    in one direction; at 1 / (number of pairs) in nothing that they share.

    Bharti (2021), Figure 3.1, after Bolukbasi et al. (2016), arXiv:1607.06520, section 5.1.
    """
    found = (
        ConceptWords(of, embedding)
        .pairs((*of.definition.pairs, *of.equalise))
        .pairs[:PAIRS_OF_THESIS]
    )
    if len(found) < 2:
        raise LexiconError(
            f"{len(found)} of the pairs of {of.name} can be used and 2 must be; use a model that "
            "knows these words."
        )
    a, b = (normalize_rows(embedding.rows([pair[side] for pair in found])) for side in (0, 1))
    papers, default = (
        explained_variance_ratio(normalize_rows(a - b)),
        explained_variance_ratio(a - b),
    )
    shares = ", ".join(f"{share:.2f}" for share in papers)
    note = (
        f"Of {len(found)} pairs of {of.name} and its equality pairs, which stand in for the "
        f"paper's; all components: {shares}."
    )
    return ConceptFigure(float(papers[0]), float(default[0]), note)


def specific_word_auc(embedding: Embedding, of: Concept) -> ConceptFigure:
    """Read off how well a linear SVM ranks specific above other words that it has not seen.

    The share of all couples of a specific and another word that the direction ranks right, in five
    folds: 1 is all, 1/2 is chance. Figure 3.2 draws that direction; where its line lies is a matter
    of the threshold, above which few specific words among many others leave hardly any at C = 1.

    Bharti (2021), Figure 3.2 and 3.3.3, after Bolukbasi et al. (2016), section 7.
    """
    training = training_words(embedding, of)
    scores, sides = rank_unseen(training), training.sides
    found = ranked_share(scores[sides], scores[~sides])
    note = (
        f"{of.name}: 5-fold AUC of the direction of a linear SVM (C = 1) taught by "
        f"{sides.sum():,} specific and {(~sides).sum():,} other words; its threshold marks "
        f"{(scores[sides] > 0).sum():,} and {(scores[~sides] > 0).sum():,} of them unseen."
    )
    return ConceptFigure(found.value, found.value, note, found.interval)


ANSWERS_LISTED = 5


def complete_analogy(
    question: Sequence[str],
    embedding: Embedding,
    metric: Analogies,
    language: str = DEFAULT_LANGUAGE,
) -> tuple[str, ...]:
    """Return the words that best complete a : b :: c : ?, the best first."""
    require_vocabulary(embedding)
    found = find_words(question, embedding, language)
    if missing := [word for word in question if word not in found or found[word].parts]:
        raise UndefinedError(
            f"{embedding.name} lacks {' and '.join(missing)}; use a model that knows the question."
        )
    rows = np.array([[embedding.positions[found[word].key] for word in question]])
    count = min(ANSWERS_LISTED, len(embedding) - len(question))
    best = metric.best_answers(rows, embedding, count).rows[0]
    return tuple(embedding.keys[row] for row in best)
