"""The kinds of benchmarks: what each is called, what is wanted of its figures, how it is read.

A kind is declared here once; `UTILITY_METRICS` names the metric that asks it. Reviews are a task: a
classifier is trained on them, which tasks/sentiment does.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from fairvec.benchmarks.parsers import parse_analogies, parse_sembias, parse_similarity
from fairvec.benchmarks.reviews import ReviewColumns, parse_reviews
from fairvec.benchmarks.sets import (
    AnalogySet,
    BenchmarkSet,
    ReviewSet,
    SectionKind,
    SemBiasSet,
    SimilaritySet,
)
from fairvec.ground.errors import SettingError, UnknownNameError

Wanted = Literal["more", "less", "neither"]
Shares = Literal["mean", "rank-correlation"]


@dataclass(frozen=True)
class BenchmarkText:
    """What a file says, where it lies, and what has to be known to read it."""

    about: tuple[str, str, str, str, str]
    """Name, title, language, source and licence."""
    text: str
    where: str
    sections: Mapping[str, SectionKind]
    held_out: int
    columns: ReviewColumns = field(default_factory=ReviewColumns)


@dataclass(frozen=True)
class BenchmarkKind:
    """What all benchmarks of a kind have in common."""

    name: str
    title: str
    """As a heading."""
    plain: str
    """What its wanted figures are called within a sentence."""
    family: str
    """The kind of information that a frontier counts it as."""
    shares: Shares
    """Which share of a figure an item has: that of a mean, or that of a rank correlation."""
    read: Callable[[BenchmarkText], BenchmarkSet]
    counted: str = ""
    """The part whose figure stands for the benchmark in its family; empty: the whole."""
    parts: Mapping[str, Wanted] = field(default_factory=dict)
    """What is wanted of the figure of a part; more of any other."""
    unnamed: bool = True
    """Whether those at hand are asked where nobody names any; a task is learnt when it is named."""

    def wanted(self, part: str = "") -> Wanted:
        """Return whether more or less of a part's figure is better.

        After a comma a part says which items it is of, as in "definition, held out".
        """
        return self.parts.get(part.partition(",")[0], "more")


def _similarity(file: BenchmarkText) -> SimilaritySet:
    return SimilaritySet(*file.about, parse_similarity(file.text, file.where))


def _analogies(file: BenchmarkText) -> AnalogySet:
    return AnalogySet(*file.about, parse_analogies(file.text, file.where, file.sections))


def _sembias(file: BenchmarkText) -> SemBiasSet:
    rows = parse_sembias(file.text, file.where)
    if not 0 <= file.held_out <= len(rows):
        raise SettingError(
            f"{file.where}: {file.held_out} rows cannot be held out of {len(rows)}; give fewer."
        )
    return SemBiasSet(*file.about, rows, file.held_out)


def _reviews(file: BenchmarkText) -> ReviewSet:
    reviews, dropped = parse_reviews(file.text, file.where, file.columns)
    return ReviewSet(*file.about, reviews, dropped)


BENCHMARK_KINDS: dict[str, BenchmarkKind] = {
    kind.name: kind
    for kind in (
        BenchmarkKind(
            SimilaritySet.kind,
            title="Word similarity",
            plain="word similarity",
            family="similarity",
            shares="rank-correlation",
            read=_similarity,
        ),
        BenchmarkKind(
            AnalogySet.kind,
            title="Word analogy",
            plain="word analogy",
            family="analogy",
            shares="mean",
            read=_analogies,
        ),
        BenchmarkKind(
            SemBiasSet.kind,
            title="SemBias",
            plain="definitions in SemBias",
            family="definitions",
            shares="mean",
            read=_sembias,
            counted="definition",
            parts={"definition": "more", "stereotype": "less", "none": "less"},
        ),
        BenchmarkKind(
            ReviewSet.kind,
            title="Sentiment of reviews",
            plain="sentiment of reviews",
            family="sentiment",
            shares="mean",
            read=_reviews,
            counted="accuracy",
            unnamed=False,
        ),
    )
}


def benchmark_kind(name: str) -> BenchmarkKind:
    """Return the kind of this name, or raise UnknownNameError with the nearest ones."""
    if name not in BENCHMARK_KINDS:
        raise UnknownNameError("kind of benchmark", name, BENCHMARK_KINDS)
    return BENCHMARK_KINDS[name]
