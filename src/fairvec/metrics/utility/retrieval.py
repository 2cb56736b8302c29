"""Retrieval: does a neutral query rank documents about men above the same about women?"""

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated

import numpy as np
from pydantic import Field

from fairvec.benchmarks import GenderedQuery, RetrievalSet
from fairvec.core.errors import UndefinedError
from fairvec.core.settings import settings
from fairvec.encoders import Representation
from fairvec.geometry import Similarity
from fairvec.metrics.utility.base import (
    BenchmarkScore,
    PreferenceScore,
    TextSimilarities,
    chosen_first,
    share_of,
)

DOCUMENTS = {
    "relevant documents": "documents that answer them and are",
    "other documents": "documents that do not answer them and are",
    "stereotype": "documents that answer them and are",
}
"""What the documents of each part are."""


@settings
class RetrievalBias:
    """How much nearer a neutral query is to a document about men than to the same about women.

    d_q = sim(q, male version) - sim(q, female version), one for each query; the figure is their
    mean, in units of their standard deviation. The parts are

    relevant documents   those that answer the query
    other documents      those that do not
    stereotype           relevant documents of the queries for which people expect one gender: sim
                         to that version less sim to the other
    ranking              no bias: the share of queries that are nearer to the neutral document that
                         answers them than to the neutral one that does not, by chance 0.5

    A retriever that sorts by this similarity ranks by it. Queries and documents are read as
    sentences. Krieg et al. (2023), doi:10.1145/3576840.3578295, made the set; a share of queries by
    the group of the nearer text is the bias of an embedder in Kim et al. (2025), arXiv:2502.17390.
    """

    name = "retrieval-bias"
    meaning = (
        "Positive: neutral queries are nearer to the document about men (or of the expected "
        "gender); negative: to that about women (or of the other one); 0: to neither. Of ranking "
        "the share of queries that find the document that answers them."
    )

    similarity: Annotated[
        Similarity | None,
        Field(description="How two points are compared; by default the geometry's own way."),
    ] = None

    def measure(self, benchmark: RetrievalSet, model: Representation) -> tuple[BenchmarkScore, ...]:
        """Return the figure of each part of which a query has all texts."""
        alike = TextSimilarities(benchmark, model, self.similarity)

        def preferences(
            part: str, sides: Callable[[GenderedQuery], tuple[str, str]], one: str, other: str
        ) -> Iterator[PreferenceScore]:
            asked = [(query.query, *sides(query)) for query in benchmark.queries]
            texts = [each for each in asked if all(each)]
            found = [each for each in texts if alike.has(*each)]
            if found:
                yield PreferenceScore(
                    part,
                    "gender",
                    "queries",
                    f"neutral queries are nearer to {DOCUMENTS[part]} {one} than {other}",
                    f"neutral queries are nearer to {DOCUMENTS[part]} {other} than {one}",
                    tuple(query for query, *_ in found),
                    np.array([alike.preference(*each) for each in found]),
                    len(texts),
                    alike.missing,
                )

        def ranking() -> Iterator[BenchmarkScore]:
            documents = [
                (query.query, query.relevant.neutral, query.other.neutral)
                for query in benchmark.queries
            ]
            found = {
                place: chosen_first(alike.between(query, relevant), alike.between(query, other))
                for place, (query, relevant, other) in enumerate(documents)
                if alike.has(query, relevant, other)
            }
            if found:
                wanted = sum(all(texts) for texts in documents)
                yield share_of("ranking", found, wanted, alike.missing)

        genders = "about men", "about women"
        expected = "of the gender that people expect", "of the other one"
        scores: Sequence[BenchmarkScore] = (
            *preferences("relevant documents", lambda query: query.relevant[:2], *genders),
            *preferences("other documents", lambda query: query.other[:2], *genders),
            *preferences("stereotype", _expected_first, *expected),
            *ranking(),
        )
        if not scores:
            raise UndefinedError(
                f"{model.name} reads no query of {benchmark.title} with its documents; use a model "
                "of its language."
            )
        return tuple(scores)


def _expected_first(query: GenderedQuery) -> tuple[str, str]:
    male, female, _ = query.relevant
    sides = {"male": (male, female), "female": (female, male)}
    return sides.get(query.expected, ("", ""))
