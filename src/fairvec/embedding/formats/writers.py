"""The file formats that fairvec writes.

To add one: write a class that keeps the promises of `base.Writer` in a file of its own and put it
into WRITERS. The law in tests/laws reads back what each of them writes.
"""

from fairvec.embedding.formats.delimited.writer import WRITES_CSV, WRITES_TSV
from fairvec.embedding.formats.native_file.writer import NativeWriter
from fairvec.embedding.formats.npz_file.writer import NpzWriter
from fairvec.embedding.formats.safetensors_model.writer import SafetensorsWriter
from fairvec.embedding.formats.text_lines.writer import WRITES_GLOVE_TEXT, WRITES_WORD2VEC_TEXT
from fairvec.embedding.formats.word2vec.writer import Word2VecBinaryWriter
from fairvec.embedding.formats.writing import WriteOptions, Writer

WRITERS: tuple[Writer, ...] = (
    NativeWriter(),
    WRITES_WORD2VEC_TEXT,
    Word2VecBinaryWriter(),
    WRITES_GLOVE_TEXT,
    WRITES_CSV,
    WRITES_TSV,
    NpzWriter(),
    SafetensorsWriter(),
)

__all__ = ["WRITERS", "WriteOptions", "Writer"]
