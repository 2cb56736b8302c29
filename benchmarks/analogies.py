"""How fast Google's analogy questions are answered, beside gensim's evaluator.

    python -m benchmarks.analogies [--words 100000] [--sample 300]

The vectors are random, with each section's relation planted so that some answers are right. Ours
answers all 19,544 questions; gensim is given a random sample of them, and its time is scaled to
all. That both have the same questions of the sample right is checked. The last lines ask all
questions in the ball, with eleven values of t. Where the questions are not here (FAIRVEC_DATA), it
says so and measures nothing.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np
from gensim.models import KeyedVectors

from fairvec.benchmarks import AnalogySet, benchmark
from fairvec.catalogue import has_dataset
from fairvec.core.errors import SettingError
from fairvec.embedding import Embedding
from fairvec.geometry import Poincare
from fairvec.geometry.nearest import IntArray
from fairvec.metrics.utility import Analogies, UtilityScore

QUESTIONS = "google-analogies"
TARGET = 40
Answer = TypeVar("Answer")


def main() -> None:
    """Ask both and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--words", type=int, default=100_000)
    parser.add_argument("--sample", type=int, default=300, help="questions for gensim")
    arguments = parser.parse_args()
    try:
        here = has_dataset(QUESTIONS)
    except SettingError as error:
        print(f"skipped: {error}")
        return
    if not here:
        print(
            f"skipped: {QUESTIONS} is not here; point FAIRVEC_DATA to a folder that has it, or "
            f"fetch it with 'fairvec benchmarks get {QUESTIONS}'."
        )
        return
    questions = benchmark(QUESTIONS)
    if not isinstance(questions, AnalogySet):
        sys.exit(f"{QUESTIONS} is no set of analogies")
    model = planted(questions, arguments.words)
    Analogies().measure(questions, model)  # compiles the loops, once per installation
    print(f"{len(questions):,} questions to {len(model):,} words x {model.dimensions}")
    ours, (*_, found) = timed(lambda: Analogies("3cosadd").measure(questions, model))
    print(f"fairvec {'3cosadd':24}{ours:8.2f} s, {found.value:.1%} right")
    seconds, (*_, other) = timed(lambda: Analogies("3cosmul").measure(questions, model))
    print(f"fairvec {'3cosmul':24}{seconds:8.2f} s, {other.value:.1%} right")
    places = np.random.default_rng(0).choice(len(questions), arguments.sample, replace=False)
    sampled, right = by_gensim(questions, model, places)
    gensim_seconds = sampled / arguments.sample * len(questions)
    if right != right_among(found, places):
        sys.exit("fairvec and gensim do not have the same number of answers right")
    print(f"gensim  3cosadd{gensim_seconds:25.0f} s, scaled from {arguments.sample} questions")
    print(f"        {gensim_seconds / ours:.0f} times faster (wanted: {TARGET})")
    ball, metric = in_the_ball(model), Analogies("gyro-translation")
    seconds, _ = timed(lambda: metric.measure(questions, ball))
    print(f"fairvec {'gyro-translation':24}{seconds:8.2f} s in the ball x {ball.dimensions}")
    seconds, by_t = timed(lambda: metric.accuracy_by_t(questions, ball))
    print(f"fairvec {f'the same, {len(by_t)} values of t':24}{seconds:8.2f} s")


def planted(questions: AnalogySet, words: int) -> Embedding:
    """Return random vectors in which b is about a plus the relation of its section."""
    generator = np.random.default_rng(0)
    keys = [*questions.texts, *(f"word{number}" for number in range(words - len(questions.texts)))]
    vectors = generator.standard_normal((len(keys), 300), dtype=np.float32)
    at = {key: row for row, key in enumerate(keys)}
    for section in questions.sections:
        relation = generator.standard_normal(300, dtype=np.float32)
        for a, b in dict.fromkeys(question[:2] for question in section.questions):
            vectors[at[b]] = vectors[at[a]] + relation + 0.9 * vectors[at[b]]
    order = generator.permutation(len(keys))
    return Embedding([keys[row] for row in order], vectors[order], name="planted")


def in_the_ball(model: Embedding) -> Embedding:
    """Return 100 dimensions of the same words inside the ball."""
    vectors = np.asarray(model.vectors[:, :100], np.float64) * 0.05
    return replace(
        model,
        vectors=vectors / np.sqrt(1 + (vectors**2).sum(axis=1, keepdims=True)),
        geometry=Poincare(),
    )


def by_gensim(questions: AnalogySet, model: Embedding, places: IntArray) -> tuple[float, int]:
    """Return gensim's seconds for the questions at these places, and how many it has right."""
    peer = KeyedVectors(model.dimensions)
    peer.add_vectors(list(model.keys), model.vectors)
    peer.fill_norms()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "questions.txt"
        lines = [": sample", *(" ".join(questions.questions[place]) for place in places)]
        file.write_text("\n".join(lines), encoding="utf-8")
        seconds, (_, sections) = timed(
            lambda: peer.evaluate_word_analogies(
                file, restrict_vocab=len(model), case_insensitive=False
            )
        )
    return seconds, len(sections[-1]["correct"])


def right_among(found: UtilityScore, places: IntArray) -> int:
    """Return how many of the questions at these places have the right answer."""
    return int(found.samples.rows[np.isin(found.items, places)].sum())


def timed(questions: Callable[[], Answer]) -> tuple[float, Answer]:
    """Return the seconds that a call took, and what it gave."""
    start = time.perf_counter()
    got = questions()
    return time.perf_counter() - start, got


if __name__ == "__main__":
    main()
