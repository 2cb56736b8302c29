"""Word analogies, a : b :: c : ?, by 3CosAdd, 3CosMul or gyro-translation with a chosen t."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from fairvec.benchmarks import AnalogyQuestion, AnalogySet, find_words
from fairvec.core.errors import SettingError, UndefinedError
from fairvec.core.settings import PositiveInt, Share, settings
from fairvec.embedding import Embedding
from fairvec.embedding.lazy_matrix import take_rows
from fairvec.embedding.neighbours import named_rows
from fairvec.encoders import Representation
from fairvec.geometry import (
    COSINE,
    NEGATIVE_DISTANCE,
    BoolArray,
    FloatArray,
    ProductOfBalls,
    Similarity,
)
from fairvec.geometry.linear_scores import fits_float32, linear_score
from fairvec.geometry.nearest import IntArray, Nearest, nearest
from fairvec.geometry.norms import normalize_rows, norms
from fairvec.metrics.base import OneSample, column_mean
from fairvec.metrics.bias.vocabulary import require_vocabulary
from fairvec.metrics.utility.analogy_sweep import (
    Questions,
    answers_by_product,
    answers_by_sum,
    best_by_3cosmul,
)
from fairvec.metrics.utility.base import UtilityScore
from fairvec.metrics.utility.gyro_analogy import gyro_translate, gyro_weights


def frequent_first(counts: NDArray[Any]) -> IntArray:
    """Return the rows by falling count; NaN comes last."""
    numbers = counts if counts.dtype.kind == "f" else counts.astype(np.int64)
    return np.argsort(-numbers, kind="stable")


def most_frequent(embedding: Embedding, number: int) -> Embedding:
    """Return the embedding with its most frequent words only: by counts, or else the first ones.

    Their vectors are not copied: they are a view, or read on demand.
    """
    if number < 1:
        raise SettingError(f"One word or more must be kept, not {number}.")
    if number >= len(embedding):
        return embedding
    rows: IntArray = np.arange(number)
    if embedding.counts is not None:
        rows = np.sort(frequent_first(embedding.counts)[:number])
    keys = [embedding.keys[row] for row in rows.tolist()]
    vectors = take_rows(embedding.vectors, rows)
    return Embedding(keys, vectors, embedding.geometry, embedding.name)


AnalogyMethod = Literal["3cosadd", "3cosmul", "gyro-translation"]
METHODS: tuple[AnalogyMethod, ...] = get_args(AnalogyMethod)
TS = tuple(step / 10 for step in range(11))
"""The values of t among which the papers choose."""


@settings
class Analogies:
    """How many questions a : b :: c : ? does the embedding answer with the very word d?

    3cosadd: the d with the largest cos(d, b - a + c), all vectors at length one
    3cosmul: the d with the largest cos(d, b) cos(d, c) / (cos(d, a) + 0.001), shifted to [0, 1]
    gyro-translation: the d most similar to the point between c (+) gyr[c, -a](-a (+) b) and
    b (+) gyr[b, -a](-a (+) c) at the share `t` of the way; in flat space that is b - a + c

    1: every answer is right; 0: none is. The words of the question are no answers unless
    `barring` is off. `similarity` is that of gyro-translation, -distance if it is not given; the
    other two know cosines only, which in the ball are seen from the origin. With `restrict` only
    the most frequent words are asked about and answer. Questions with a word that the embedding
    lacks are left out.

    Mikolov et al. (2013), arXiv:1301.3781; Levy & Goldberg (2014), CoNLL, 171-180; Tifrea et al.
    (2019), arXiv:1810.06546.
    """

    name = "analogies"
    method: Annotated[
        AnalogyMethod, Field(description="How the answer to a : b :: c : ? is computed.")
    ] = "3cosadd"
    similarity: Annotated[
        Similarity | None,
        Field(
            description="Of gyro-translation: how two points are compared; by default the "
            "geometry's own way."
        ),
    ] = None
    t: Annotated[
        Share,
        Field(
            description="Of gyro-translation: the share of the way between its two translations."
        ),
    ] = 0.3
    barring: Annotated[
        bool, Field(description="Whether the words of the question are no answers.")
    ] = True
    restrict: Annotated[
        PositiveInt | None,
        Field(
            description="So many of the most frequent words are asked about and answer; by default "
            "all."
        ),
    ] = None

    def __post_init__(self) -> None:
        if self.method != "gyro-translation" and self.similarity not in (None, COSINE):
            raise SettingError(
                f"{self.method} compares by cosine; use gyro-translation for another similarity."
            )

    @property
    def meaning(self) -> str:
        """What a share says, with the method and its t."""
        t = f", t = {self.t:g}" if self.method == "gyro-translation" else ""
        some = f", among the {self.restrict:,} most frequent words" if self.restrict else ""
        return (
            f"The share of analogy questions that are answered ({self.method}{t}{some}) with the "
            "expected word: 1: all; 0: none."
        )

    def measure(self, benchmark: AnalogySet, model: Representation) -> tuple[UtilityScore, ...]:
        """Return the share of right answers: of each kind of question, and of all (part "")."""
        (found,) = self.accuracy_by_t(benchmark, model, (self.t,)).values()
        return found

    def accuracy_by_t(
        self, benchmark: AnalogySet, model: Representation, ts: Sequence[float] = TS
    ) -> dict[float, tuple[UtilityScore, ...]]:
        """Return the same for several values of t, all in one sweep over the vocabulary."""
        embedding = require_vocabulary(model)
        if self.restrict is not None:
            embedding = most_frequent(embedding, self.restrict)
        questions = look_up_questions(benchmark, embedding)
        with named_rows(embedding):
            answers = self.answers(questions.rows[:, :3], embedding, ts)
        right = answers == questions.rows[:, 3]
        return {t: _scores(benchmark, questions, row) for t, row in zip(ts, right, strict=True)}

    def answers(
        self, rows: IntArray, embedding: Embedding, ts: Sequence[float] | None = None
    ) -> IntArray:
        """Return the row of the best answer for each t and question, whose rows are a, b and c."""
        ts = (self.t,) if ts is None else ts
        excluded = rows if self.barring else np.full_like(rows, -1)
        questions = Questions(embedding.vectors, embedding.geometry, rows, excluded)
        if not fits_float32(norms(np.asarray(embedding.vectors[np.unique(rows)], np.float64))):
            if self.method == "3cosmul":
                return np.repeat(self.best_answers(rows, embedding, 1).rows.T, len(ts), axis=0)
            return np.stack([self._nearest(questions, t, 1).rows[:, 0] for t in ts])
        if self.method == "3cosmul":
            return np.repeat(answers_by_product(questions)[None], len(ts), axis=0)
        if self.method == "3cosadd":
            found = answers_by_sum(questions, self._weights(questions, ts[:1]), COSINE)
            return np.repeat(found, len(ts), axis=0)
        one_ball = not isinstance(embedding.geometry, ProductOfBalls)
        if not one_ball or linear_score(embedding.geometry, self._similarity) is None:
            return np.stack([self._nearest(questions, t, 1).rows[:, 0] for t in ts])
        return answers_by_sum(questions, self._weights(questions, ts), self._similarity)

    def best_answers(self, rows: IntArray, embedding: Embedding, count: int) -> Nearest:
        """Return the `count` best answers to each question, whose rows are a, b and c."""
        excluded = rows if self.barring else np.full_like(rows, -1)
        questions = Questions(embedding.vectors, embedding.geometry, rows, excluded)
        if self.method == "3cosmul":
            return best_by_3cosmul(questions.vectors(), embedding.vectors, count, excluded=excluded)
        return self._nearest(questions, self.t, count)

    def _nearest(self, questions: Questions, t: float, count: int) -> Nearest:
        """Return the words nearest to the point that each question leads to."""
        a, b, c = np.moveaxis(questions.vectors(), 1, 0)
        if self.method == "gyro-translation":
            queries = gyro_translate(a, b, c, t, questions.geometry)
        else:
            queries = normalize_rows(b) - normalize_rows(a) + normalize_rows(c)
        return nearest(
            queries,
            questions.points,
            count,
            questions.geometry,
            self._similarity,
            excluded=questions.excluded,
        )

    @property
    def score_name(self) -> str:
        """What the numbers of `best_answers` are."""
        return "3CosMul" if self.method == "3cosmul" else self._similarity.name

    @property
    def _similarity(self) -> Similarity:
        if self.method == "gyro-translation":
            return self.similarity or NEGATIVE_DISTANCE
        return COSINE

    def _weights(self, questions: Questions, ts: Sequence[float]) -> FloatArray:
        if self.method == "gyro-translation":
            vectors = (np.moveaxis(questions.vectors(chunk), 1, 0) for chunk in questions.chunks())
            parts = [gyro_weights(a, b, c, ts, questions.geometry) for a, b, c in vectors]
            return np.concatenate(parts, axis=1)
        lengths = np.sqrt(np.einsum("qii->qi", questions.products))
        signed: FloatArray = np.array([[-1.0, 1.0, 1.0]]) / lengths
        return signed[None]


@dataclass(frozen=True, eq=False)
class AnswerableQuestions:
    """The questions that can be asked: their places in the set and the rows of their four words.

    `missing` are the words for lack of which others are left out; a word must be a key itself, and
    its vector not zero. A question two of whose words reach one key is left out too, because it
    can be neither asked nor answered; `merged` names such words.
    """

    items: IntArray
    rows: IntArray
    missing: tuple[str, ...]
    merged: tuple[str, ...]


def look_up_questions(benchmark: AnalogySet, embedding: Embedding) -> AnswerableQuestions:
    """Look up the words of all questions by the rules of the set's language."""
    matches = find_words(benchmark.texts, embedding, benchmark.language)
    rows = {
        word: embedding.positions[match.key] for word, match in matches.items() if not match.parts
    }
    found = {
        item: [rows[word] for word in question]
        for item, question in enumerate(benchmark.questions)
        if rows.keys() >= {*question}
    }
    merged = [item for item, four in found.items() if len({*four}) < 4]
    merged_words = [
        _merged_words(benchmark.questions[item], found.pop(item), embedding) for item in merged
    ]
    if not found:
        raise UndefinedError(
            f"{embedding.name} knows all four words of none of the {len(benchmark)} questions of "
            f"{benchmark.title}; use a model that knows more of them."
        )
    return AnswerableQuestions(
        items=np.array(list(found)),
        rows=np.array(list(found.values())),
        missing=tuple(word for word in benchmark.texts if word not in rows),
        merged=tuple(dict.fromkeys(merged_words)),
    )


def _merged_words(question: AnalogyQuestion, rows: list[int], embedding: Embedding) -> str:
    """Name the words of a question that reach one key."""
    twice = next(row for row in rows if rows.count(row) > 1)
    words = [word for word, row in zip(question, rows, strict=True) if row == twice]
    return f"{' and '.join(dict.fromkeys(words))} (both {embedding.keys[twice]})"


def _scores(
    benchmark: AnalogySet, questions: AnswerableQuestions, right: BoolArray
) -> tuple[UtilityScore, ...]:
    kinds = np.array([section.kind for section in benchmark.sections for _ in section.questions])
    parts = [kind for kind in ("semantic", "syntactic") if kind in kinds]
    missing, all_questions = questions.missing + questions.merged, benchmark.questions
    scores = []
    for part in (*parts, ""):
        of_part = kinds == part if part else np.ones(len(kinds), dtype=bool)
        in_part = of_part[questions.items]
        if in_part.any():
            rows = right[in_part].astype(np.float64)[:, None]
            items = tuple(questions.items[in_part].tolist())
            samples = OneSample(rows, column_mean)
            value, total = float(rows.mean()), int(of_part.sum())
            pairs = tuple(
                (f"{q.a} {q.b}", f"{q.c} {q.d}") for q in (all_questions[i] for i in items)
            )
            scores.append(UtilityScore(part, value, samples, items, total, missing, shared=pairs))
    return tuple(scores)


Pair = tuple[str, str]


@dataclass(frozen=True)
class Fold:
    """Pairs of one half, the t that is best on the other half, and the score it has here."""

    pairs: tuple[Pair, ...]
    t: float
    score: float


@dataclass(frozen=True)
class ChosenT:
    """The t with the largest mean score over both halves, the smallest of several.

    `scores` is that mean for each t; each half also says how the t that the other one would have
    chosen does on it, which is what to expect on unseen pairs.
    """

    t: float
    scores: dict[float, float]
    folds: tuple[Fold, Fold]
    seed: int


def choose_t(
    pairs: Sequence[Pair],
    embedding: Embedding,
    *,
    similarity: Similarity | None = None,
    ts: Sequence[float] = TS,
    seed: int = 0,
) -> ChosenT:
    """Choose t by two-fold cross-validation over analogies between pairs of keys.

    The pairs are shuffled and halved, so that no pair is in both halves. Each half asks a : b ::
    c : ? for every two of its pairs, both ways round in order, of the whole vocabulary; its score
    is the share of right answers.

    Kumar et al. (2020), arXiv:2109.13767, section 4.2, where t = 0.3 came out.
    """
    known = [pair for pair in dict.fromkeys(pairs) if {*pair} <= embedding.positions.keys()]
    if len(known) < 4:
        raise UndefinedError(
            f"{embedding.name} knows both words of {len(known)} of the {len(pairs)} pairs, and two "
            "halves of two pairs are needed to choose t; give more pairs, or t itself."
        )
    order = np.random.default_rng(seed).permutation(len(known))
    halves = [[known[i] for i in sorted(half)] for half in np.array_split(order, 2)]
    metric = Analogies("gyro-translation", similarity=similarity)
    scores = np.array([_scores_by_t(half, embedding, metric, ts) for half in halves])
    first, second = scores.argmax(axis=1)
    mean = scores.mean(axis=0)
    return ChosenT(
        t=ts[int(mean.argmax())],
        scores=dict(zip(ts, mean.tolist(), strict=True)),
        folds=(
            Fold(tuple(halves[0]), ts[int(second)], float(scores[0, second])),
            Fold(tuple(halves[1]), ts[int(first)], float(scores[1, first])),
        ),
        seed=seed,
    )


def _scores_by_t(
    pairs: Sequence[Pair], embedding: Embedding, metric: Analogies, ts: Sequence[float]
) -> list[float]:
    positions = embedding.positions
    questions = np.array(
        [
            [positions[a], positions[b], positions[c], positions[d]]
            for a, b in pairs
            for c, d in pairs
            if len({a, b, c, d}) == 4
        ]
    )
    if not len(questions):
        raise UndefinedError("The pairs share their words; give pairs of different words.")
    right = metric.answers(questions[:, :3], embedding, ts) == questions[:, 3]
    means: list[float] = right.mean(axis=1).tolist()
    return means
