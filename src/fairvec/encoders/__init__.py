"""The reading: sentences to vectors, by the mean of words, a transformer, an ELMo, a function."""

from fairvec.encoders.encoder import Encoder
from fairvec.encoders.function import encoder_from_function
from fairvec.encoders.mean_of_words import MeanOfWords
from fairvec.encoders.representation import Representation, reading_of
from fairvec.encoders.sentence import Sentence
from fairvec.encoders.text_model import Encodes, Pieces, TextModel
from fairvec.encoders.vector_store import VectorStore

__all__ = [
    "Encoder",
    "Encodes",
    "MeanOfWords",
    "Pieces",
    "Representation",
    "Sentence",
    "TextModel",
    "VectorStore",
    "encoder_from_function",
    "reading_of",
]
