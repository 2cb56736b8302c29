"""Encoders of sentences: the mean of word vectors, a transformer, an ELMo, a function."""

from fairvec.encoders.base import SentenceEncoder, TextModel, WordPieces
from fairvec.encoders.encoder import Encoder
from fairvec.encoders.function import encoder_from_function
from fairvec.encoders.store import VectorStore
from fairvec.encoders.word_average import Representation, WordAverage, sentence_encoder

__all__ = [
    "Encoder",
    "Representation",
    "SentenceEncoder",
    "TextModel",
    "VectorStore",
    "WordAverage",
    "WordPieces",
    "encoder_from_function",
    "sentence_encoder",
]
