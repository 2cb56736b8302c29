"""Word analogies: a is to b as c is to what?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from fairvec.benchmarks import AnalogySet
from fairvec.embedding import Embedding
from fairvec.embedding.named_rows import named_rows
from fairvec.geometry import (
    COSINE,
    NEGATIVE_DISTANCE,
    BoolArray,
    FloatArray,
    ProductOfBalls,
    Similarity,
)
from fairvec.geometry.ball.lift import fit_single, lift
from fairvec.geometry.directions import unit
from fairvec.geometry.nearest import IntArray, Nearest, nearest
from fairvec.geometry.sizes import lengths
from fairvec.ground.errors import SettingError
from fairvec.metrics.bias.parts.vocabulary import check_whole
from fairvec.metrics.means import mean_of_rows
from fairvec.metrics.score import OneSample
from fairvec.metrics.utility.analogy_sweep import Questions, answers_by_product, answers_by_sum
from fairvec.metrics.utility.analogy_words import AskedWords, asked, most_frequent
from fairvec.metrics.utility.cos_mul import most_alike_by_product
from fairvec.metrics.utility.gyro_analogy import translated, weights
from fairvec.metrics.utility.score import Usefulness

AnalogyMethod = Literal["3cosadd", "3cosmul", "gyro-translation"]
METHODS: tuple[AnalogyMethod, ...] = ("3cosadd", "3cosmul", "gyro-translation")
TS = tuple(step / 10 for step in range(11))
"""The values of t among which the papers choose."""


@dataclass(frozen=True)
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

    name: ClassVar[str] = "analogies"
    method: AnalogyMethod = "3cosadd"
    similarity: Similarity | None = None
    t: float = 0.3
    barring: bool = True
    restrict: int | None = None

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise SettingError(f"method must be one of {', '.join(METHODS)}, not {self.method!r}.")
        if self.method != "gyro-translation" and self.similarity not in (None, COSINE):
            raise SettingError(
                f"{self.method} compares by cosine; use gyro-translation for another similarity."
            )
        if not 0 <= self.t <= 1:
            raise SettingError(f"t must lie between 0 and 1, not {self.t}.")

    @property
    def meaning(self) -> str:
        """What a share says, with the method and its t."""
        t = f", t = {self.t:g}" if self.method == "gyro-translation" else ""
        some = f", among the {self.restrict:,} most frequent words" if self.restrict else ""
        return (
            f"The share of analogy questions that are answered ({self.method}{t}{some}) with the "
            "expected word: 1: all; 0: none."
        )

    def measure(self, benchmark: AnalogySet, embedding: Embedding) -> tuple[Usefulness, ...]:
        """Return the share of right answers: of each kind of question, and of all (part "")."""
        (found,) = self.accuracy_by_t(benchmark, embedding, (self.t,)).values()
        return found

    def accuracy_by_t(
        self, benchmark: AnalogySet, embedding: Embedding, ts: Sequence[float] = TS
    ) -> dict[float, tuple[Usefulness, ...]]:
        """Return the same for several values of t, all in one sweep over the vocabulary."""
        check_whole(embedding)
        if self.restrict is not None:
            embedding = most_frequent(embedding, self.restrict)
        questions = asked(benchmark, embedding)
        with named_rows(embedding):
            given = self.answers(questions.rows[:, :3], embedding, ts)
        right = given == questions.rows[:, 3]
        return {t: _scores(benchmark, questions, row) for t, row in zip(ts, right, strict=True)}

    def answers(
        self, rows: IntArray, embedding: Embedding, ts: Sequence[float] | None = None
    ) -> IntArray:
        """Return the row of the best answer for each t and question, whose rows are a, b and c."""
        ts = (self.t,) if ts is None else ts
        barred = rows if self.barring else np.full_like(rows, -1)
        questions = Questions(embedding.vectors, embedding.geometry, rows, barred)
        if not fit_single(lengths(np.asarray(embedding.vectors[np.unique(rows)], np.float64))):
            if self.method == "3cosmul":
                return np.repeat(self.most_alike(rows, embedding, 1).rows.T, len(ts), axis=0)
            return np.stack([self._nearest(questions, t, 1).rows[:, 0] for t in ts])
        if self.method == "3cosmul":
            return np.repeat(answers_by_product(questions)[None], len(ts), axis=0)
        if self.method == "3cosadd":
            found = answers_by_sum(questions, self._weights(questions, ts[:1]), COSINE)
            return np.repeat(found, len(ts), axis=0)
        one_ball = not isinstance(embedding.geometry, ProductOfBalls)
        if not one_ball or lift(embedding.geometry, self._similarity) is None:
            return np.stack([self._nearest(questions, t, 1).rows[:, 0] for t in ts])
        return answers_by_sum(questions, self._weights(questions, ts), self._similarity)

    def most_alike(self, rows: IntArray, embedding: Embedding, count: int) -> Nearest:
        """Return the `count` best answers to each question, whose rows are a, b and c."""
        barred = rows if self.barring else np.full_like(rows, -1)
        questions = Questions(embedding.vectors, embedding.geometry, rows, barred)
        if self.method == "3cosmul":
            return most_alike_by_product(
                questions.vectors(), embedding.vectors, count, barred=barred
            )
        return self._nearest(questions, self.t, count)

    def _nearest(self, questions: Questions, t: float, count: int) -> Nearest:
        """Return the words nearest to the point that each question leads to."""
        a, b, c = np.moveaxis(questions.vectors(), 1, 0)
        if self.method == "gyro-translation":
            queries = translated(a, b, c, t, questions.geometry)
        else:
            queries = unit(b) - unit(a) + unit(c)
        return nearest(
            queries,
            questions.points,
            count,
            questions.geometry,
            self._similarity,
            barred=questions.barred,
        )

    @property
    def compared_by(self) -> str:
        """What the numbers of `most_alike` are."""
        return "3CosMul" if self.method == "3cosmul" else self._similarity.name

    @property
    def _similarity(self) -> Similarity:
        if self.method == "gyro-translation":
            return self.similarity or NEGATIVE_DISTANCE
        return COSINE

    def _weights(self, questions: Questions, ts: Sequence[float]) -> FloatArray:
        if self.method == "gyro-translation":
            some = (np.moveaxis(questions.vectors(chunk), 1, 0) for chunk in questions.chunks())
            parts = [weights(a, b, c, ts, questions.geometry) for a, b, c in some]
            return np.concatenate(parts, axis=1)
        far = np.sqrt(np.einsum("qii->qi", questions.products))
        signed: FloatArray = np.array([[-1.0, 1.0, 1.0]]) / far
        return signed[None]


def _scores(
    benchmark: AnalogySet, questions: AskedWords, right: BoolArray
) -> tuple[Usefulness, ...]:
    kinds = np.array([section.kind for section in benchmark.sections for _ in section.questions])
    parts = [kind for kind in ("semantic", "syntactic") if kind in kinds]
    missing, asked = questions.missing + questions.merged, benchmark.questions
    scores = []
    for part in (*parts, ""):
        among = kinds == part if part else np.ones(len(kinds), dtype=bool)
        mine = among[questions.items]
        if mine.any():
            rows = right[mine].astype(np.float64)[:, None]
            items = tuple(questions.items[mine].tolist())
            samples = OneSample(rows, mean_of_rows)
            value, wanted = float(rows.mean()), int(among.sum())
            pairs = tuple((f"{q.a} {q.b}", f"{q.c} {q.d}") for q in (asked[i] for i in items))
            scores.append(Usefulness(part, value, samples, items, wanted, missing, shared=pairs))
    return tuple(scores)
