"""Embeddings as text: a line per key, the key first, then its numbers.

word2vec and fastText (.vec) begin with a header "rows columns"; GloVe has none, and its keys may
contain spaces, so the LAST fields of a line are the numbers.
"""

from dataclasses import dataclass
from pathlib import Path

from fairvec.embedding.formats.checks import refuse_empty
from fairvec.embedding.formats.reading import HEAD_BYTES, Raw, ReadOptions
from fairvec.embedding.formats.text_lines import head as text_head
from fairvec.embedding.formats.text_lines.line_blocks import BLOCK_BYTES
from fairvec.ground.errors import FileFormatError
from fairvec.ground.text.remedies import option


@dataclass(frozen=True)
class Layout:
    """How many numbers a line has, who says so, and where the lines begin."""

    columns: int
    promised_rows: int | None
    expected_rows: int
    offset: int


@dataclass(frozen=True)
class TextFormat:
    """Lines of numbers, with a header line or without."""

    name: text_head.Kind
    suffixes: tuple[str, ...]

    def recognises(self, path: Path, head: bytes) -> bool:
        """Say whether the head is text of this kind."""
        return text_head.kind_of(head) == self.name

    def read(self, path: Path, options: ReadOptions) -> Raw:
        """Read the file block by block on all cores."""
        # Here and not above: the compiled loops bring numba, which no other format needs.
        from fairvec.embedding.formats.text_lines.reading import read_lines

        return read_lines(path, self._layout(path), options)

    def _layout(self, path: Path) -> Layout:
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.readline(BLOCK_BYTES) + file.read(HEAD_BYTES)
        if not head.removeprefix(text_head.BOM).strip():
            raise FileFormatError(f"{path.name} is empty; fetch or write it again.")
        if self.name == "glove-text":
            lines = text_head.whole_lines(head)
            columns = text_head.usual_values(lines)
            if not columns:
                raise FileFormatError(
                    f"{path.name} is not an embedding in text form: no line ends in numbers; "
                    "name the right file, or its format with format=... (--format)."
                )
            if columns == 1:
                raise FileFormatError(
                    f"{path.name} has one number per key: that is a list of counts, not an "
                    "embedding; name the file with the vectors."
                )
            offset = len(text_head.BOM) if head.startswith(text_head.BOM) else 0
            likely = size * sum(map(bool, map(bytes.strip, lines))) // len(head) + 1
            return Layout(columns, None, min(likely, _possible(size, columns)), offset)
        found = text_head.header(head)
        if found is None:
            raise FileFormatError(
                f"{path.name} does not begin with the line 'rows columns' of word2vec's text "
                f"format; add that line, or read the file with {option('format', 'glove-text')}."
            )
        refuse_empty(path, found.rows, found.columns)
        # The file bounds the rows, whatever the header says.
        rows = min(found.rows, _possible(size, found.columns))
        return Layout(found.columns, found.rows, rows, found.length)


def _possible(size: int, columns: int) -> int:
    """Return how many lines a file can hold: a number takes a digit and a space or line break."""
    return (size + 1) // (2 * columns)


WORD2VEC_TEXT = TextFormat("word2vec-text", (".vec", ".w2v"))
GLOVE_TEXT = TextFormat("glove-text", (".txt", ".glove"))
