"""Tables of text (.csv, .tsv): a line of column names, then a word and its numbers a line."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from re import Pattern

from fairvec.embedding.embedding import Embedding
from fairvec.embedding.formats.blocks import Block, blocks
from fairvec.embedding.formats.packing import opened
from fairvec.embedding.formats.writing import HALF_CHARACTERS, Part, WriteOptions
from fairvec.ground.errors import FileFormatError


@dataclass(frozen=True)
class DelimitedWriter:
    """Lines of a word and numbers; a word that holds a separator stands in quotation marks.

    It is data for programs and comes back as it was: a word such as =1 gets no apostrophe, unlike
    in tables for people, so that a spreadsheet should be told to take the first column as text.
    """

    name: str
    suffixes: tuple[str, ...]
    separator: str
    packable: bool = True
    keeps: frozenset[Part] = frozenset({"float64"})
    holds: str = "keys of whole characters without control characters"
    impossible_key: Pattern[str] = re.compile(rf"[\x00-\x1f\x7f]|{HALF_CHARACTERS}")

    def write(self, embedding: Embedding, path: Path, options: WriteOptions) -> None:
        """Write the names of the columns (word, d1, d2 ...), then line after line."""
        # Here and not above: the compiled loops bring numba, which no other format needs.
        from fairvec.embedding.formats.text_lines.writing import lines

        if embedding.dimensions == 1:
            raise FileFormatError(
                f"{path.name}: {self.name} with one number per key would be taken for a list of "
                "counts; choose .fairvec or .vec."
            )
        titles = ["word", *(f"d{place + 1}" for place in range(embedding.dimensions))]
        with opened(path) as file:
            file.write(self.separator.join(titles).encode() + b"\n")
            words = iter(embedding.keys)
            for written in lines(_nameless(blocks(embedding, path, options.progress))):
                for line in written.splitlines():
                    file.write(self._quoted(next(words)))
                    file.write(line[1:].replace(b" ", self.separator.encode()) + b"\n")

    def _quoted(self, word: str) -> bytes:
        plain = word and '"' not in word and self.separator not in word
        return (word if plain else '"' + word.replace('"', '""') + '"').encode()


def _nameless(written: Iterable[Block]) -> Iterator[Block]:
    """Give blocks of numbers under keys of one letter, which quoted words take the place of."""
    for block in written:
        yield Block(["-"] * len(block.keys), block.vectors)


WRITES_CSV = DelimitedWriter("csv", (".csv",), ",")
WRITES_TSV = DelimitedWriter("tsv", (".tsv",), "\t")
