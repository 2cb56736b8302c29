"""Which words mean a concept itself (mother, kings) and stay where they are: listed, or learnt.

`listed`: the words of the concept's lists. `learnt`: longer lists, and words like them by vector
and spelling, as many as keep an expected precision. `svm`: a linear SVM as published (Bolukbasi et
al., 2016). `svm-tuned`: the same with class weights and a threshold found by cross-validation.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from fairvec.core.errors import LexiconError, SettingError
from fairvec.core.format import method_setting_hint
from fairvec.core.settings import check_choice
from fairvec.embedding import Embedding
from fairvec.geometry import FloatArray
from fairvec.geometry.norms import norms
from fairvec.languages.people import person_words
from fairvec.languages.words import Word
from fairvec.lexicon import Concept, ConceptWords
from fairvec.mitigation.moves import at_lengths, tangent_blocks

Sides = NDArray[np.bool_]
"""For each word whether it is of the first kind."""


@dataclass(frozen=True, eq=False)
class Hyperplane:
    """The words w with w.normal + offset = 0; those of the first kind lie above."""

    normal: FloatArray
    offset: float


def linear_svm(weights: str | None = None) -> Any:
    """Return a linear SVM with C = 1 and squared hinge loss, as published without class weights."""
    from sklearn.svm import LinearSVC

    # Solved as it stands, not in its dual: words outnumber columns, and nothing is left to chance.
    return LinearSVC(C=1.0, dual=False, class_weight=weights)


def fit_hyperplane(units: FloatArray, sides: Sides, weights: str | None = None) -> Hyperplane:
    """Return the plane of a linear SVM between unit vectors."""
    fitted = linear_svm(weights).fit(units, sides)
    return Hyperplane(np.asarray(fitted.coef_[0], np.float64), float(fitted.intercept_[0]))


def predict_unseen(
    classifier: Any, features: Any, sides: Sides, *, folds: int, seed: int, by: str = "predict"
) -> NDArray[Any]:
    """Return what a classifier says of each word when it learns from the other folds."""
    from sklearn.model_selection import StratifiedKFold, cross_val_predict

    splitter = StratifiedKFold(folds, shuffle=True, random_state=seed)
    found: NDArray[Any] = cross_val_predict(classifier, features, sides, cv=splitter, method=by)
    return found


def above(plane: Hyperplane, embedding: Embedding) -> Sides:
    """Return which words of an embedding lie above a plane, by their directions alone.

    w/|w|.normal + offset > 0 is asked without dividing, so that a zero vector has an answer: no.
    """
    blocks = [
        rows @ plane.normal + plane.offset * norms(rows) > 0
        for _, rows in tangent_blocks(embedding)
    ]
    return np.concatenate(blocks)


TARGET = 0.9
"""The precision that learnt words must be expected to have."""
UNLISTED = 0.15
"""How many words of the first kind are taken to be unlisted for each one that is listed."""
FOLDS = 5
GRID = ((1.0, "balanced"), (10.0, None))
"""The regularisations and class weights that are tried."""
SPELLING = 2.0
"""The weight of spelling features relative to the vector, whose length is one."""
Z = 1.959964


@dataclass(frozen=True, eq=False)
class LearntWords:
    """Which unlisted words are marked, and what is known about the threshold.

    `found` of the `listed` words lie above the threshold of a classifier that has not seen them,
    and so do the `marked` ones. `precision` is what can be expected of those, or, where none are
    marked, the best that any threshold would give.
    """

    marked: Sides
    found: int
    listed: int
    precision: float
    regularisation: float
    weights: str | None
    target: float
    unlisted: float

    @property
    def summary(self) -> str:
        """One sentence for the remarks of a transform."""
        by = (
            f"a logistic regression over vectors and spelling (C = {self.regularisation:g}, "
            f"{self.weights or 'no'} class weights, {FOLDS} folds)"
        )
        others = len(self.marked) - self.listed
        if not self.marked.any():
            return (
                f"0 words learnt by {by} from {self.listed} listed and {others} other words: "
                f"at no threshold can a precision of {self.target:g} be expected (at best "
                f"{self.precision:.2f}), so that only listed words stay"
            )
        return (
            f"{self.marked.sum()} words learnt by {by} from {self.listed} listed and {others} "
            f"other words; it recognises {self.found} of the listed ones unseen, and if "
            f"{self.unlisted:g} specific words are unlisted for each listed one, as easy to "
            f"recognise as those, {self.precision:.2f} of the learnt ones are specific: read them"
        )


def learn_specific_words(
    keys: Sequence[str],
    units: FloatArray,
    sides: Sides,
    *,
    target: float = TARGET,
    unlisted: float = UNLISTED,
    seed: int = 0,
) -> LearntWords:
    """Return the words that a classifier marks above the lowest threshold that keeps a precision.

    precision(t) = unlisted * n * r(t) / o(t)

    n words are listed (`sides`), and r(t) of them lie above t for a classifier that has not seen
    them (the lower end of Wilson's 95 % interval); o(t) unlisted words do. Since the others are
    unlabelled, not negative, how many of them are of the first kind has to be assumed:
    `unlisted` * n. A list that tells nothing has r = o / (number of words), so that nothing is
    marked.

    The classifier is a logistic regression over unit vectors and pieces of spelling; each word is
    judged by the one of five that has not seen it, and their regularisation and class weights are
    those with the largest average precision.

    Elkan and Noto (2008), doi:10.1145/1401890.1401920: learning from positive and unlabelled data.
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import average_precision_score

    features = _features(keys, units, sides)
    classifiers = [
        LogisticRegression(C=c, class_weight=weights, solver="liblinear", random_state=0)
        for c, weights in GRID
    ]
    scores = [
        predict_unseen(each, features, sides, folds=FOLDS, seed=seed, by="decision_function")
        for each in classifiers
    ]
    best = int(
        np.argmax([average_precision_score(sides, held_out_scores) for held_out_scores in scores])
    )
    marked, found, precision = precise_threshold(
        scores[best], sides, target=target, unlisted=unlisted
    )
    regularisation, weights = GRID[best]
    return LearntWords(
        marked=marked,
        found=found,
        listed=int(sides.sum()),
        precision=precision,
        regularisation=regularisation,
        weights=weights,
        target=target,
        unlisted=unlisted,
    )


def precise_threshold(
    scores: FloatArray, sides: Sides, *, target: float, unlisted: float
) -> tuple[Sides, int, float]:
    """Return the unlisted words above the lowest good threshold, how many listed ones, precision.

    Where no threshold is good: no word, none, and the best precision that there is.
    """
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    found, others = (np.cumsum(each[order], dtype=np.intp) for each in (sides, ~sides))
    expected = unlisted * sides.sum() * wilson_low(found, int(sides.sum()))
    precision = np.divide(expected, others, where=others > 0, out=np.zeros(len(order)))
    # A threshold lies between two scores, never among equal ones.
    precision[:-1][ranked[:-1] == ranked[1:]] = 0
    (good,) = np.nonzero(precision >= target)
    marked = np.zeros(len(sides), np.bool_)
    if not len(good):
        return marked, 0, float(precision.max())
    marked[order[: good[-1] + 1]] = True
    return marked & ~sides, int(found[good[-1]]), float(min(precision[good[-1]], 1))


def wilson_low(found: NDArray[np.intp], of: int) -> FloatArray:
    """Return the lower end of Wilson's 95 % interval for shares of a number of trials."""
    share = found / of
    middle = share + Z**2 / (2 * of)
    spread = Z * np.sqrt(share * (1 - share) / of + Z**2 / (4 * of**2))
    low: FloatArray = np.maximum((middle - spread) / (1 + Z**2 / of), 0)
    return low


def _features(keys: Sequence[str], units: FloatArray, sides: Sides) -> Any:
    """Return vectors and pieces of two to five letters, those that some listed word has."""
    from scipy.sparse import csr_matrix, hstack
    from sklearn.feature_extraction.text import TfidfVectorizer

    spelling = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), sublinear_tf=True)
    spelling.fit([key for key, listed in zip(keys, sides, strict=True) if listed])
    return hstack([csr_matrix(units), SPELLING * spelling.transform(keys)]).tocsr()


Specific = Annotated[
    Literal["listed", "learnt", "svm", "svm-tuned"],
    Field(
        description="Words that mean the concept: its lists, those learnt from them, or by an SVM."
    ),
]
"""Where the specific words come from: the concept's lists; longer lists and what a calibrated
classifier learns from them; a linear SVM taught by the concept's list, as published; or that SVM
with class weights and threshold by cross-validation."""

MOST_FREQUENT = 50_000
"""So many of a vocabulary's first words teach a classifier, or are searched for the most biased."""
FEWEST = 10
"""With fewer seed words there is nothing to learn from, and no fold without one to judge by."""


@dataclass(frozen=True)
class ClassifierReport:
    """How well held-out words were told apart in `folds` parts, each word judged once.

    `auc` is the share of couples of a seed word and another word that the direction ranks right:
    it judges the direction, 1/2 is chance. The others judge the threshold too: `f_score` is that of
    the specific words, `balanced_accuracy` the mean of the shares of seed words and of other words
    that were recognised. `recognised` counts the seed words that the classifier taught by all of
    them marks; `among` how many words taught it; `weights` are its class weights.
    """

    auc: float
    f_score: float
    balanced_accuracy: float
    folds: int
    recognised: int
    among: int
    weights: str | None = None


@dataclass(frozen=True)
class SpecificWords:
    """The specific words of a vocabulary.

    `seed` are those that a concept lists as such, `defining` its other words (the defining and the
    equality words), `persons` the words for persons that are shipped with the concept's language,
    `learnt` those learnt from the others, in the order of the vocabulary. `teachers` are the words
    whose vectors decided what was learnt by `calibration`.
    """

    seed: tuple[str, ...] = ()
    defining: tuple[str, ...] = ()
    learnt: tuple[str, ...] = ()
    taught: ClassifierReport | None = None
    persons: tuple[str, ...] = ()
    teachers: tuple[str, ...] = ()
    calibration: LearntWords | None = None

    @property
    def keys(self) -> frozenset[str]:
        """All specific words."""
        return frozenset((*self.seed, *self.defining, *self.persons, *self.learnt))

    def fitted_on(self, *keys: Iterable[str]) -> tuple[str, ...]:
        """Return the words that decide where words move: a method's own, then the teachers."""
        return tuple(dict.fromkeys((*chain(*keys), *self.teachers)))

    @property
    def remarks(self) -> dict[str, Sequence[str]]:
        """What a transform says about how the words were split."""
        if self.calibration:
            text = (
                f"{self.calibration.summary}; {len(self.persons)} words of shipped lists stay too"
            )
            return {"specific_words": [text], "learnt_words": self.learnt}
        if self.taught is None:
            return {}
        report = self.taught
        words = "word" if len(self.learnt) == 1 else "words"
        text = (
            f"{len(self.learnt)} {words} learnt by a linear SVM (C = 1"
            f"{f', {report.weights} class weights' if report.weights else ''}) from a seed of "
            f"{len(self.seed)}, of which it recognises {report.recognised}, among {report.among} "
            f"words; {FOLDS}-fold AUC {report.auc:.3f} (of its direction), {report.folds}-fold "
            f"F-score {report.f_score:.3f}, balanced accuracy {report.balanced_accuracy:.3f} (of "
            "its threshold)"
        )
        return {"specific_words": [text], "learnt_words": self.learnt}


NO_WORDS = SpecificWords()
"""No word is specific: all words move."""


def split_for(words: ConceptWords, moves: str, specific: str) -> SpecificWords:
    """Return the words that stay where they are under two settings of a method."""
    check_split(moves, specific)
    return specific_split(words, specific) if moves == "neutral" else NO_WORDS


def check_split(moves: str, specific: str) -> None:
    """Raise if specific words shall be learnt and nothing is done with them."""
    if moves == "all" and specific != "listed":
        raise SettingError(
            "Specific words are learnt only to stay where they are, and here all words move; use "
            f"{method_setting_hint('moves', 'neutral')}, or "
            f"{method_setting_hint('specific', 'listed')}."
        )


def specific_split(words: ConceptWords, specific: str) -> SpecificWords:
    """Return the specific words by a named rule."""
    check_choice("choice of specific", specific, Specific)
    match specific:
        case "listed":
            return listed_words(words)
        case "learnt":
            return learn_calibrated(words)
        case _:
            return learn_specific(words.embedding, words.concept, tuned=specific == "svm-tuned")


def listed_words(words: ConceptWords) -> SpecificWords:
    """Return the specific words that a concept lists, and its defining and equality words.

    Every spelling counts that the vocabulary has: what is a variant to the list is a word of its
    own to the model, and would else be neutralised.
    """
    concept = words.concept
    equal = (word for each in concept.equalise for word in each)
    seed = words.words(_spellings(concept.specific)).keys
    others = words.words(_spellings((*concept.definition.entries, *equal))).keys
    known = words.held_out.union(seed)
    return SpecificWords(seed, tuple(key for key in others if key not in known))


def _spellings(entries: Iterable[Word]) -> list[Word]:
    return [Word(word=spelling, pos=entry.pos) for entry in entries for spelling in entry.spellings]


@dataclass(frozen=True, eq=False)
class TrainingWords:
    """The words that teach a classifier, and which of them are seed words."""

    listed: SpecificWords
    embedding: Embedding
    rows: NDArray[np.intp]
    sides: Sides

    @cached_property
    def units(self) -> FloatArray:
        """Their vectors at length one."""
        return _units(self.embedding, self.rows)


def training_words(
    embedding: Embedding, concept: Concept, *, among: int = MOST_FREQUENT
) -> TrainingWords:
    """Return the first `among` words of a vocabulary, and all of a concept's seed, to learn from.

    Defining words that are no seed (John and Mary) teach neither side.
    """
    words = ConceptWords(concept, embedding)
    listed = listed_words(words)
    seed_rows, listed_rows, held_out_rows = (
        _rows_of(keys, embedding) for keys in (listed.seed, listed.keys, words.held_out)
    )
    seed_rows = np.setdiff1d(seed_rows, held_out_rows)
    frequent = np.arange(min(among, len(embedding)))
    rows = np.union1d(seed_rows, np.setdiff1d(frequent, np.union1d(listed_rows, held_out_rows)))
    sides = np.isin(rows, seed_rows)
    _check_enough(words, sides)
    return TrainingWords(listed, embedding, rows, sides)


def rank_unseen(
    training: TrainingWords, *, weights: str | None = None, seed: int = 0
) -> NDArray[np.float64]:
    """Return how far on the specific side each word lies for a linear SVM that has not seen it.

    Its order judges the direction that the SVM learns, whatever its threshold.
    """
    return predict_unseen(
        linear_svm(weights),
        training.units,
        training.sides,
        folds=FOLDS,
        seed=seed,
        by="decision_function",
    )


def learn_specific(
    embedding: Embedding,
    concept: Concept,
    *,
    tuned: bool = False,
    among: int = MOST_FREQUENT,
    seed: int = 0,
) -> SpecificWords:
    """Return the specific words of a whole vocabulary, learnt from those that a concept lists.

    A linear SVM (C = 1, squared hinge) over unit vectors is taught by the first `among` words of
    the vocabulary, seed words against the others, and marks words of the whole. All listed words
    stay specific, whether they are recognised or not. `seed` deals words to the folds.

    As published a word is marked above 0, where few specific words among many others mark hardly
    any, however well the direction ranks them. `tuned`: with class weights (none, or balanced) of
    the larger AUC in five folds, and above the score with the largest F-score of held-out words.

    Bolukbasi et al. (2016), arXiv:1607.06520, section 7: a seed of 218 among 26,377 words, F-score
    .627 in ten folds. Bharti (2021), 3.3.3, does the same in Hindi.
    """
    from sklearn.metrics import balanced_accuracy_score, f1_score, roc_auc_score

    training = training_words(embedding, concept, among=among)
    listed, units, sides = training.listed, training.units, training.sides
    ranked = {
        weights: rank_unseen(training, weights=weights, seed=seed)
        for weights in ((None, "balanced") if tuned else (None,))
    }
    aucs = {weights: float(roc_auc_score(sides, scores)) for weights, scores in ranked.items()}
    weights = max(aucs, key=aucs.__getitem__)
    if tuned:
        folds, threshold = FOLDS, best_threshold(ranked[weights], sides)
        held_out = ranked[weights] > threshold
    else:
        folds, threshold = FEWEST, 0.0
        held_out = predict_unseen(linear_svm(), units, sides, folds=folds, seed=seed)
    plane = fit_hyperplane(units, sides, weights)
    marked = above(replace(plane, offset=plane.offset - threshold), embedding)
    report = ClassifierReport(
        auc=aucs[weights],
        f_score=float(f1_score(sides, held_out)),
        balanced_accuracy=float(balanced_accuracy_score(sides, held_out)),
        folds=folds,
        recognised=int(marked[_rows_of(listed.seed, embedding)].sum()),
        among=len(units),
        weights=weights,
    )
    learnt = np.setdiff1d(np.flatnonzero(marked), _rows_of(listed.keys, embedding))
    return replace(listed, learnt=tuple(embedding.keys[row] for row in learnt), taught=report)


def best_threshold(scores: FloatArray, sides: Sides) -> float:
    """Return the score above which the F-score of the first kind is largest.

    F = 2 found / (marked + of the first kind). It lies half way between two scores.
    """
    order = np.argsort(-scores, kind="stable")
    ranked, found = scores[order], np.cumsum(sides[order])
    f_scores = 2 * found / (np.arange(1, len(order) + 1) + sides.sum())
    f_scores[:-1][ranked[:-1] == ranked[1:]] = 0  # never among equal scores
    last = int(f_scores.argmax())
    return float(ranked[last : last + 2].mean()) if last + 1 < len(ranked) else -np.inf


def learn_calibrated(
    words: ConceptWords,
    *,
    shipped: bool = True,
    target: float = TARGET,
    among: int = MOST_FREQUENT,
    seed: int = 0,
) -> SpecificWords:
    """Return the specific words of longer lists, and as many learnt ones as can be vouched for.

    The concept's specific, defining and equality words teach, verbs and names (John and Mary) left
    out, and for gender the pronouns, titles, kinship words and nouns for persons that are shipped
    with its language (`shipped`); words for jobs are not among these, since they are what debiasing
    is about. The first `among` words of the vocabulary are judged (see `learn_specific_words`):
    rarer ones are not learnt, and where no threshold has the `target` precision no word is.
    """
    embedding, listed = words.embedding, listed_words(words)
    concept = words.concept
    entries = (*concept.specific, *concept.definition.entries, *chain(*concept.equalise))
    own_words = words.words([word for word in entries if _means_it(word, entries)]).keys
    persons: tuple[str, ...] = ()
    if shipped and concept.about == "gender":
        persons = words.words(person_words(concept.language)).keys
    teachers = tuple(
        dict.fromkeys(key for key in (*own_words, *persons) if key not in words.held_out)
    )
    persons = tuple(key for key in persons if key not in listed.keys)
    positive = _rows_of(teachers, embedding)
    excluded = _rows_of({*listed.keys, *persons, *words.held_out} - {*teachers}, embedding)
    frequent = np.arange(min(among, len(embedding)))
    rows = np.union1d(positive, np.setdiff1d(frequent, excluded))
    sides = np.isin(rows, positive)
    _check_enough(words, sides)
    keys = [embedding.keys[row] for row in rows]
    learnt = learn_specific_words(keys, _units(embedding, rows), sides, target=target, seed=seed)
    return replace(
        listed,
        learnt=tuple(keys[row] for row in np.flatnonzero(learnt.marked)),
        persons=persons,
        teachers=teachers,
        calibration=learnt,
    )


def _means_it(word: Word, entries: Iterable[Word]) -> bool:
    """Whether a word means the concept, and does not only show it as verb forms and names do.

    A name is a proper noun, or listed with a capital letter alone, as John and Mary are.
    """
    listed = {entry.word for entry in entries}
    return word.pos not in ("VERB", "PROPN") and word.word.lower() in listed


def _check_enough(words: ConceptWords, sides: Sides) -> None:
    if min(sides.sum(), (~sides).sum()) < FEWEST:
        raise LexiconError(
            f"{words.embedding.name} has {sides.sum()} of the specific words that "
            f"{words.concept.name} lists, and {(~sides).sum()} others; {FEWEST} of either kind are "
            f"needed to learn more: use {method_setting_hint('specific', 'listed')}, or a concept "
            "with a longer list."
        )


def _units(embedding: Embedding, rows: NDArray[np.intp]) -> FloatArray:
    tangents = embedding.geometry.log0(np.asarray(embedding.vectors[rows], np.float64))
    return at_lengths(tangents, np.ones(len(rows)), before=tangents)


def _rows_of(keys: Iterable[str], embedding: Embedding) -> NDArray[np.intp]:
    return np.array([embedding.positions[key] for key in keys], np.intp)
