"""What all benchmarks share: the record, the declaration of a kind, the vectors of their texts.

BenchmarkSet    what a benchmark says about itself; each kind adds its items
BenchmarkKind   what all benchmarks of a kind have in common, and how a file of them is read
text_vectors    the vectors of words or sentences in an embedding or an encoder
find_words      the words of a benchmark in an embedding
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import ClassVar, Literal

from fairvec.core.errors import LexiconError
from fairvec.core.io.cache import digest_of
from fairvec.embedding.embedding import Embedding
from fairvec.embedding.lookup import Match
from fairvec.encoders.encoder import Encoder, vectors_of_readable
from fairvec.encoders.word_average import Representation, WordAverage
from fairvec.geometry import FloatArray

Wanted = Literal["more", "less", "neither"]
Shares = Literal["mean", "rank-correlation"]
Reads = Literal["words", "sentences"]
About = tuple[str, str, str, str, str]
"""Name, title, language, source and licence of a benchmark."""


@dataclass(frozen=True)
class BenchmarkSet(ABC):
    """What every benchmark says about itself; `name` is that of the catalogue.

    `len` counts its items, and `items` is what those are called in the plural. `reads` says whether
    its texts are words, which a vocabulary has or lacks, or sentences, read by their words.
    """

    kind: ClassVar[str]
    items: ClassVar[str]
    reads: ClassVar[Reads] = "words"

    name: str
    title: str
    language: str
    source: str
    licence: str

    @abstractmethod
    def __len__(self) -> int: ...

    @property
    @abstractmethod
    def texts(self) -> tuple[str, ...]:
        """Every word or sentence once."""

    @cached_property
    def version(self) -> str:
        """A hash of what is asked, whatever is said of where it is from."""
        content = asdict(self)
        for about in ("title", "source", "licence"):
            del content[about]
        return digest_of(content)[:12]


@dataclass(frozen=True)
class BenchmarkKind:
    """What all benchmarks of a kind have in common."""

    name: str
    title: str
    """As a heading."""
    plain: str
    """What its main figure is called within a sentence."""
    family: str
    """The kind of information that it counts as in a frontier."""
    shares: Shares
    """How an item contributes to the figure: as to a mean, or to a rank correlation."""
    read: Callable[..., BenchmarkSet]
    """Takes About, the text of a file, its path for errors, and all options of `read_benchmark`, of
    which it uses those of its kind."""
    counted: str = ""
    """The part whose figure represents the benchmark in its family; empty: all of it."""
    parts: Mapping[str, Wanted] = field(default_factory=dict)
    """Whether more or less of a part's figure is better; more of any part not named."""
    unnamed: bool = True
    """Whether it is run by default where it is on this machine; what takes long must be named."""
    columns: tuple[str, ...] = ()
    """The columns by which a table of the user's own is known to be of this kind."""
    measures_bias: bool = False
    """Whether it asks whom a model prefers, beside how useful it is."""
    sensitive: str = ""
    """Why its texts are sensitive; empty if they are not."""
    needs_vocabulary: bool = False
    """Whether answers are looked for among all words of a model, of which an encoder has none."""

    def wanted(self, part: str = "") -> Wanted:
        """Return whether more or less of a part's figure is better.

        After a comma a part says which items it is of, as in "definition, held out".
        """
        return self.parts.get(part.partition(",")[0], "more")


def find_words(words: Iterable[str], embedding: Embedding, language: str) -> dict[str, Match]:
    """Return the match of each word that has a vector, by the look-up rules of the language.

    A word whose vector, or that of one of its parts, is zero counts as missing.
    """
    lookup = embedding.lookup(language)
    matches = ((word, lookup.find((word,))) for word in dict.fromkeys(words))
    return {
        word: match
        for word, match in matches
        if match is not None and embedding.rows(match.keys).any(axis=1).all()
    }


def text_vectors(
    texts: Iterable[str], model: Representation, language: str, reads: Reads = "words"
) -> dict[str, FloatArray]:
    """Return the vector of each text that has one.

    An encoder reads each text alone. In an embedding a word has its own vector, an entry of several
    words that is no key itself the mean of its parts, as in a test, and a sentence the mean of its
    known words.
    """
    if isinstance(model, Encoder):
        return vectors_of_readable(model, texts)
    if reads == "sentences":
        average = WordAverage(model, language)
        means = {text: average.mean_of(text) for text in distinct(texts)}
        return {text: mean for text, mean in means.items() if mean is not None}
    return {
        word: model.rows(match.keys).mean(axis=0)
        for word, match in find_words(texts, model, language).items()
    }


def distinct(words: Iterable[str]) -> tuple[str, ...]:
    """Return every word once, in the order in which it first comes."""
    return tuple(dict.fromkeys(words))


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield each line that is not blank with its number."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            # The first or last cell may be empty, so tabs are not stripped.
            yield number, line.strip(" \r")


def split_cells(line: str, separator: str | None) -> list[str]:
    """Return the cells of a line, without the space and the quotation marks around them."""
    return [cell.strip().strip('"') for cell in line.split(separator)]


def empty_error(where: str, what: str) -> LexiconError:
    """Return the error for a file in which there is nothing to ask."""
    return LexiconError(f"{where}: the file holds no {what}; check that it is the right one.")
