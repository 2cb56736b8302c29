"""The reading: sentences to vectors, by the mean of words, a transformer, an ELMo, a function."""

from fairvec.encoders.base import Encodes, Pieces, TextModel
from fairvec.encoders.encoder import Encoder
from fairvec.encoders.function import encoder_from_function
from fairvec.encoders.store import VectorStore
from fairvec.encoders.word_average import MeanOfWords, Representation, reading_of

__all__ = [
    "Encoder",
    "Encodes",
    "MeanOfWords",
    "Pieces",
    "Representation",
    "TextModel",
    "VectorStore",
    "encoder_from_function",
    "reading_of",
]
