"""The file formats that fairvec writes.

To add one: write a class that keeps the promises of `base.Writer` in a file of its own and put it
into WRITERS. The law in tests/laws reads back what each of them writes.
"""

from fairvec.embedding.writers.base import WriteOptions, Writer
from fairvec.embedding.writers.native import NativeWriter
from fairvec.embedding.writers.npz import NpzWriter
from fairvec.embedding.writers.safetensors_file import SafetensorsWriter
from fairvec.embedding.writers.text import WRITES_GLOVE_TEXT, WRITES_WORD2VEC_TEXT
from fairvec.embedding.writers.word2vec_binary import Word2VecBinaryWriter

WRITERS: tuple[Writer, ...] = (
    NativeWriter(),
    WRITES_WORD2VEC_TEXT,
    Word2VecBinaryWriter(),
    WRITES_GLOVE_TEXT,
    NpzWriter(),
    SafetensorsWriter(),
)

__all__ = ["WRITERS", "WriteOptions", "Writer"]
