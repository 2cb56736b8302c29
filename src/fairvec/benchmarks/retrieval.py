"""Neutral queries and documents about men and about women, that differ in nothing else.

Krieg et al. (2023), Grep-BiasIR, CHIIR, doi:10.1145/3576840.3578295.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

from fairvec.benchmarks.base import (
    About,
    BenchmarkKind,
    BenchmarkSet,
    Reads,
    distinct,
    empty_error,
)
from fairvec.benchmarks.tables import table_records
from fairvec.core.errors import LexiconError
from fairvec.core.text import short_repr

COLUMNS = ("query", "document", "relevant", "content_gender", "doc_title?", "exp_stereotype?")

Expected = Literal["male", "female", ""]
"""The gender that people expect in the documents of a query; empty: they do not agree."""


class Versions(NamedTuple):
    """One document in three versions; one that the set does not have is empty."""

    male: str = ""
    female: str = ""
    neutral: str = ""


class GenderedQuery(NamedTuple):
    """A neutral query, a document that answers it and one that does not."""

    query: str
    relevant: Versions
    other: Versions
    expected: Expected = ""


@dataclass(frozen=True)
class RetrievalSet(BenchmarkSet):
    """Queries with documents that are about men, about women, or about people."""

    kind: ClassVar[str] = "retrieval"
    items: ClassVar[str] = "queries"
    reads: ClassVar[Reads] = "sentences"

    queries: tuple[GenderedQuery, ...]

    def __len__(self) -> int:
        return len(self.queries)

    @property
    def texts(self) -> tuple[str, ...]:
        """Every query and document once."""
        return distinct(filter(None, _texts(self.queries)))


def _texts(queries: Iterable[GenderedQuery]) -> Iterable[str]:
    for query in queries:
        yield from (query.query, *query.relevant, *query.other)


_VERSIONS = {"m": "male", "f": "female", "n": "neutral"}
_EXPECTED: dict[str, Expected] = {"towards male": "male", "towards female": "female"}


def parse_queries(text: str, where: str) -> tuple[GenderedQuery, ...]:
    """Return the queries of a table with a document a row, in the order in which they come first.

    `content_gender` is M, F or N: a document that is labelled otherwise, as about both, is left
    out. A title is read before its document.
    """
    documents: dict[str, dict[str, str]] = {}
    expected: dict[str, Expected] = {}
    for row in table_records(text, where, "queries with documents", COLUMNS):
        if not (row["query"] and row["document"]) or row["relevant"] not in ("0", "1"):
            raise LexiconError(
                f"{where}, line {row['line']}: a row needs a query, a document, and 0 or 1 as "
                f"relevant, which is {short_repr(row['relevant'])}; complete it."
            )
        found = documents.setdefault(row["query"], {})
        expected.setdefault(row["query"], _EXPECTED.get(row["exp_stereotype"].lower(), ""))
        if (version := _VERSIONS.get(row["content_gender"].lower())) is None:
            continue
        if (place := version + row["relevant"]) in found:
            raise LexiconError(
                f"{where}, line {row['line']}: the query {short_repr(row['query'])} has two "
                f"{version} documents of one kind; leave one out."
            )
        found[place] = f"{row['doc_title']} {row['document']}".strip()
    if not documents:
        raise empty_error(where, "queries")
    return tuple(
        GenderedQuery(query, _versions(found, "1"), _versions(found, "0"), expected[query])
        for query, found in documents.items()
    )


def _versions(found: Mapping[str, str], relevant: str) -> Versions:
    return Versions(*(found.get(version + relevant, "") for version in Versions._fields))


def _read(about: About, text: str, where: str, **_: Any) -> RetrievalSet:
    return RetrievalSet(*about, parse_queries(text, where))


RETRIEVAL = BenchmarkKind(
    RetrievalSet.kind,
    title="Retrieval",
    plain="retrieval of relevant documents",
    family="retrieval",
    shares="mean",
    read=_read,
    unnamed=False,
    measures_bias=True,
    columns=("query", "document", "content_gender"),
)
