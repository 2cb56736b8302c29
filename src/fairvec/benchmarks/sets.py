"""The benchmarks of usefulness: human judgements for an embedding to agree with."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import ClassVar, Literal, NamedTuple

from fairvec.core.io.cache import digest_of
from fairvec.languages.text import token_pattern

SectionKind = Literal["semantic", "syntactic", ""]

SplitPart = Literal["train", "test", ""]


@dataclass(frozen=True)
class Benchmark:
    """What every benchmark says about itself; `name` is that of the catalogue.

    `len` counts its items, and `items` is what those are called in the plural.
    """

    name: str
    title: str
    language: str
    source: str
    licence: str

    @cached_property
    def version(self) -> str:
        """A hash of what is asked, whatever is said of where it is from."""
        content = asdict(self)
        for about in ("title", "source", "licence"):
            del content[about]
        return digest_of(content)[:12]


class RatedPair(NamedTuple):
    """Two words and how alike people find them; only the order of the scores means anything."""

    one: str
    other: str
    score: float


@dataclass(frozen=True)
class SimilaritySet(Benchmark):
    """Pairs of words rated by people."""

    kind: ClassVar[str] = "similarity"
    items: ClassVar[str] = "pairs"

    pairs: tuple[RatedPair, ...]

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def words(self) -> tuple[str, ...]:
        """Every word once."""
        return _distinct(word for one, other, _ in self.pairs for word in (one, other))


class AnalogyQuestion(NamedTuple):
    """a is to b as c is to d, where d is the answer."""

    a: str
    b: str
    c: str
    d: str


@dataclass(frozen=True)
class Section:
    """Questions about one relation, as a published file groups them."""

    name: str
    kind: SectionKind
    questions: tuple[AnalogyQuestion, ...]


@dataclass(frozen=True)
class AnalogySet(Benchmark):
    """Analogy questions, section by section."""

    kind: ClassVar[str] = "analogy"
    items: ClassVar[str] = "questions"

    sections: tuple[Section, ...]

    @property
    def questions(self) -> tuple[AnalogyQuestion, ...]:
        """The questions of all sections, in their order."""
        return tuple(question for section in self.sections for question in section.questions)

    def __len__(self) -> int:
        return len(self.questions)

    @property
    def words(self) -> tuple[str, ...]:
        """Every word once."""
        return _distinct(word for question in self.questions for word in question)


class Choice(NamedTuple):
    """One row of SemBias: a pair that differs in gender by definition, one by stereotype, two not.

    Male first in every pair.
    """

    definition: tuple[str, str]
    none: tuple[tuple[str, str], tuple[str, str]]
    stereotype: tuple[str, str]

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The four pairs in the order of the published file."""
        return self.definition, *self.none, self.stereotype


@dataclass(frozen=True)
class SemBiasSet(Benchmark):
    """Rows of four pairs; the last `held_out` rows have words that no training list had."""

    kind: ClassVar[str] = "sembias"
    items: ClassVar[str] = "rows"

    rows: tuple[Choice, ...]
    held_out: int = 0

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def words(self) -> tuple[str, ...]:
        """Every word once."""
        return _distinct(word for row in self.rows for pair in row.pairs for word in pair)


class Review(NamedTuple):
    """A text, whether it is positive, and its part of a published split."""

    text: str
    positive: bool
    split: SplitPart = ""


@dataclass(frozen=True)
class ReviewSet(Benchmark):
    """Positive and negative reviews; `dropped` counts those of other classes by name.

    Either every review is in a part of one split, train or test, or none is.
    """

    kind: ClassVar[str] = "sentiment"
    items: ClassVar[str] = "reviews"

    reviews: tuple[Review, ...]
    dropped: tuple[tuple[str, int], ...] = ()

    def __len__(self) -> int:
        return len(self.reviews)

    @property
    def words(self) -> tuple[str, ...]:
        """Every word once."""
        return _distinct(
            word for review in self.reviews for word in token_pattern().findall(review[0])
        )

    @property
    def split(self) -> bool:
        """Whether a published split says which reviews to train on."""
        return any(review.split for review in self.reviews)


BenchmarkSet = SimilaritySet | AnalogySet | SemBiasSet | ReviewSet


def _distinct(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))
