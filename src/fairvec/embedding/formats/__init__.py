"""The file formats that fairvec reads.

To add one: write a class that keeps the promises of `base.Format` in a file of its own and put it
into FORMATS. Formats are recognised by content in this order, by the name's ending only after that.
"""

from fairvec.embedding.formats.delimited.reader import CSV, TSV
from fairvec.embedding.formats.fasttext.fasttext_bin import FastTextBin
from fairvec.embedding.formats.native_file.reader import Native
from fairvec.embedding.formats.navec_file.navec import Navec
from fairvec.embedding.formats.npy_file.reader import Npy
from fairvec.embedding.formats.npz_file.reader import Npz
from fairvec.embedding.formats.pickles.gensim_pickle import GensimPickle
from fairvec.embedding.formats.reading import Format, Raw, ReadOptions, Vectors
from fairvec.embedding.formats.safetensors_model.reader import Safetensors
from fairvec.embedding.formats.text_lines.reader import GLOVE_TEXT, WORD2VEC_TEXT
from fairvec.embedding.formats.torch_file.reader import TorchFile
from fairvec.embedding.formats.word2vec.reader import WORD2VEC_BINARY

FORMATS: tuple[Format, ...] = (
    Native(),
    Safetensors(),
    Npz(),
    Npy(),
    TorchFile(),
    GensimPickle(),
    Navec(),
    CSV,
    TSV,
    WORD2VEC_BINARY,
    FastTextBin(),
    WORD2VEC_TEXT,
    GLOVE_TEXT,
)

__all__ = ["FORMATS", "Format", "Raw", "ReadOptions", "Vectors"]
