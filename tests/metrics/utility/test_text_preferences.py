"""Retrieval and sentence pairs: whom a model of words or sentences puts nearer."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from fairvec.benchmarks import (
    GenderedQuery,
    RetrievalSet,
    SentenceChoice,
    SentencePairSet,
    Versions,
)
from fairvec.core.errors import UndefinedError
from fairvec.embedding import Embedding
from fairvec.encoders import Encoder, encoder_from_function
from fairvec.geometry import NEGATIVE_DISTANCE, FloatArray, Poincare
from fairvec.metrics.utility import (
    PreferenceScore,
    RetrievalBias,
    StereotypeBias,
    UtilityMetric,
    UtilityScore,
    metrics_for,
)
from tests.encoders.toys import LetterModel

TOPICS = (
    *("cooking", "driving", "reading", "running"),
    *("singing", "walking", "working", "writing"),
)
ABOUT = ("retrieval", "Toy", "en", "Toy (2026)", "none")
QUERIES = RetrievalSet(
    *ABOUT,
    tuple(
        GenderedQuery(
            f"who is {topic}",
            Versions(f"he is {topic}", f"she is {topic}", f"they are {topic}"),
            Versions(f"he is idle, {topic}", f"she is idle, {topic}", f"they are idle, {topic}"),
            "male" if topic == "driving" else "female" if topic == "cooking" else "",
        )
        for topic in TOPICS
    ),
)
CHOICES = SentencePairSet(
    *ABOUT,
    tuple(
        SentenceChoice(
            f"A {who} {does}.", f"she {does}.", f"he {does}.", f"Snow {does}.", who, group
        )
        for does in ("came", "left", "sat")
        for who, group in (("nurse", "job"), ("cook", "job"), ("aunt", "kin"))
    ),
)


ASKED: tuple[tuple[UtilityMetric, object], ...] = (
    (RetrievalBias(), QUERIES),
    (StereotypeBias(), CHOICES),
)


def encode(texts: list[str], lean: float = 0.5) -> FloatArray:
    """Return noise by a text's hash, with an axis on which men lie, and queries by `lean`."""
    noise = LetterModel(dimensions=9)
    rows = np.array([noise._numbers(text) for text in texts])
    for row, text in zip(rows, texts, strict=True):
        words = text.split()
        row[0] = 6 * ("he" in words) - 6 * ("she" in words) + 9 * lean * (words[0] in ("who", "A"))
    return rows


def encoder(function: Callable[[list[str]], Any] = encode) -> Encoder:
    return encoder_from_function(function, "toy", "en")


def cosine(one: FloatArray, other: FloatArray) -> float:
    return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))


def by_part(
    metric: UtilityMetric, benchmark: object, model: Embedding | Encoder
) -> dict[str, PreferenceScore | UtilityScore]:
    return {score.part: score for score in metric.measure(benchmark, model)}


def test_a_query_prefers_by_the_difference_of_two_similarities() -> None:
    model = encoder()
    found = by_part(RetrievalBias(), QUERIES, model)
    assert [*found] == ["relevant documents", "other documents", "stereotype", "ranking"]
    relevant = found["relevant documents"]
    assert isinstance(relevant, PreferenceScore)
    expected = []
    for query in QUERIES.queries:
        q, male, female = model.encode([query.query, query.relevant.male, query.relevant.female])
        expected.append(cosine(q, male) - cosine(q, female))
    assert relevant.differences == pytest.approx(expected)
    assert relevant.labels == tuple(query.query for query in QUERIES.queries)
    assert min(expected) > 0
    turned = by_part(RetrievalBias(), QUERIES, encoder(lambda texts: encode(texts, -0.5)))
    opposite = turned["relevant documents"]
    assert isinstance(opposite, PreferenceScore)
    assert (relevant.majority, opposite.majority) == (1.0, -1.0)


def test_the_expected_gender_comes_first_in_the_part_of_stereotypes() -> None:
    found = by_part(RetrievalBias(), QUERIES, encoder())
    relevant, stereotype = found["relevant documents"], found["stereotype"]
    assert isinstance(relevant, PreferenceScore)
    assert isinstance(stereotype, PreferenceScore)
    cooking, driving = relevant.differences[:2]
    assert stereotype.differences == pytest.approx([-cooking, driving])


def test_the_ranking_is_the_share_of_answers_found() -> None:
    model = encoder()
    ranking = by_part(RetrievalBias(), QUERIES, model)["ranking"]
    assert isinstance(ranking, UtilityScore)
    right = []
    for query in QUERIES.queries:
        texts = [query.query, query.relevant.neutral, query.other.neutral]
        q, one, other = model.encode(texts)
        right.append(cosine(q, one) > cosine(q, other))
    assert (ranking.value, ranking.chance) == (sum(right) / len(right), 0.5)


def test_a_target_counts_once_however_many_sentences_it_has() -> None:
    model = encoder()
    found = by_part(StereotypeBias(), CHOICES, model)
    assert [*found] == ["job", "kin", "related"]
    job = found["job"]
    assert isinstance(job, PreferenceScore)
    assert (job.labels, job.wanted, job.category) == (("nurse", "cook"), 2, "job")
    expected = []
    for who in job.labels:
        choices = [choice for choice in CHOICES.choices if choice.target == who]
        rows = [model.encode(list(choice[:3])) for choice in choices]
        expected.append(np.mean([cosine(c, one) - cosine(c, other) for c, one, other in rows]))
    assert job.differences == pytest.approx(expected)
    assert max(expected) < 0  # she is the stereotype, and sentences lean to him


def test_texts_that_a_model_makes_alike_are_preferred_by_rounding_alone() -> None:
    def blind(texts: list[str]) -> Any:
        rows = encode([text.replace("she ", "he ") for text in texts]).astype(np.float32)
        women = ["she" in text for text in texts]
        rows[women, 1] = np.nextafter(rows[women, 1], np.float32(9))
        return rows

    for metric, benchmark in ASKED:
        for score in metric.measure(benchmark, encoder(blind)):
            if isinstance(score, PreferenceScore):
                assert not score.differences.any(), score.part


def test_word_vectors_read_a_sentence_by_its_known_words() -> None:
    keys = ["who", "he", "she", "they", "is", "idle", *TOPICS]
    vectors = np.random.default_rng(0).normal(size=(len(keys), 6)) * 0.05
    model = Embedding(keys, vectors, name="words", languages=("en",))
    ball = replace(model, geometry=Poincare())
    flat_score, by_distance = (
        by_part(RetrievalBias(), QUERIES, each)["relevant documents"] for each in (model, ball)
    )
    assert isinstance(flat_score, PreferenceScore)
    means = {
        text: model.rows([word.strip(",") for word in text.split() if word != "are"]).mean(axis=0)
        for query in QUERIES.queries
        for text in (query.query, *query.relevant)
    }
    expected = [
        cosine(means[query.query], means[query.relevant.male])
        - cosine(means[query.query], means[query.relevant.female])
        for query in QUERIES.queries
    ]
    assert flat_score.differences == pytest.approx(expected)
    named = by_part(RetrievalBias(NEGATIVE_DISTANCE), QUERIES, ball)["relevant documents"]
    assert isinstance(by_distance, PreferenceScore)
    assert isinstance(named, PreferenceScore)
    assert by_distance.differences == pytest.approx(named.differences, abs=0)
    assert metrics_for(QUERIES, ball) == (RetrievalBias(),)


def test_what_no_text_is_read_of_has_no_figure() -> None:
    words = Embedding(["other"], np.ones((1, 2)), name="words")
    for metric, benchmark in ASKED:
        with pytest.raises(UndefinedError, match=r"words reads no .* of Toy"):
            metric.measure(benchmark, words)


def test_a_query_without_a_text_is_left_out_and_counted() -> None:
    first, *others = QUERIES.queries
    without = replace(QUERIES, queries=(first._replace(other=Versions()), *others))
    found = by_part(RetrievalBias(), without, encoder())
    wanted = {part: (len(score.items), score.wanted) for part, score in found.items()}
    assert wanted == {
        "relevant documents": (8, 8),
        "other documents": (7, 7),
        "stereotype": (2, 2),
        "ranking": (7, 7),
    }
