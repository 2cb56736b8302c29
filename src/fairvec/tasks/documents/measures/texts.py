"""A text with the words that were found in it, and the units that figures regard as independent."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fairvec.results import Interval
from fairvec.stats.arrays import IntArray
from fairvec.stats.intervals.clustered_share import METHOD, clustered_share
from fairvec.stats.pairing.whole_numbers import sign_flips
from fairvec.tasks.documents.document import Document
from fairvec.tasks.documents.words import WordFound, coded_index, word_index

ALPHA = 0.05
LEVEL = 0.95


@dataclass(frozen=True)
class WordsOfText:
    """A document and the listed words in it."""

    document: Document
    found: tuple[WordFound, ...]
    coded: tuple[WordFound, ...] = ()

    def paragraph(self, found: WordFound) -> int:
        """Return the number of the paragraph in which a word stands."""
        return self.document.sentences[found.sentence].paragraph


def words_of_text(document: Document, *, names: bool = True) -> WordsOfText:
    """Return a document with the words that were found in it."""
    found = tuple(word_index(document.language, names).found_in(document))
    return WordsOfText(document, found, tuple(coded_index(document.language).found_in(document)))


@dataclass(frozen=True)
class Texts:
    """One document whose paragraphs are the units, or several that are units themselves.

    Words of a paragraph depend on one another (a person is named once and then called she), and so
    do those of a document; what stands apart is nearer to independent.
    """

    texts: tuple[WordsOfText, ...]

    @cached_property
    def unit(self) -> str:
        """The units' name, in the plural."""
        return "paragraphs" if len(self.texts) == 1 else "documents"

    def with_units(self, words: Sequence[tuple[WordFound, ...]]) -> Iterator[tuple[int, WordFound]]:
        """Give every word of all documents with the number of its unit."""
        for number, (text, found) in enumerate(zip(self.texts, words, strict=True)):
            for each in found:
                yield (text.paragraph(each) if len(self.texts) == 1 else number), each


@dataclass(frozen=True)
class TwoCounts:
    """How often two groups occur, unit by unit."""

    counts: IntArray
    """One row a unit: of a, of b; units with neither are left out."""

    @property
    def a(self) -> int:
        """How often a occurs."""
        return int(self.counts[:, 0].sum())

    @property
    def b(self) -> int:
        """How often b occurs."""
        return int(self.counts[:, 1].sum())

    @property
    def share(self) -> float:
        """The share of b."""
        return self.b / (self.a + self.b)

    @property
    def uneven(self) -> int:
        """In how many units one of them is the more frequent: only these can decide."""
        return int((self.counts[:, 0] != self.counts[:, 1]).sum())

    @cached_property
    def interval(self) -> Interval | None:
        """Where the share would lie in other units of the same kind; None with too few."""
        ends = clustered_share(self.counts, level=LEVEL)
        return ends and Interval(low=ends[0], high=ends[1], level=LEVEL, method=METHOD)

    @cached_property
    def p(self) -> float | None:
        """Exact p of a and b being equally frequent; None where these units could not decide."""
        p, smallest = sign_flips(self.counts[:, 0] - self.counts[:, 1])
        return p if smallest <= ALPHA else None


def two_counts(words: Iterator[tuple[int, WordFound]]) -> TwoCounts | None:
    """Count the words of either side, unit by unit; None if there are none."""
    units: dict[int, list[int]] = {}
    for unit, found in words:
        units.setdefault(unit, [0, 0])[found.entry.side == "b"] += 1
    return TwoCounts(np.array([*units.values()], np.int64)) if units else None
