"""Words or sentences: what can be measured."""

from fairvec.embedding import Embedding
from fairvec.encoders.encoder import Encoder
from fairvec.encoders.mean_of_words import MeanOfWords
from fairvec.encoders.text_model import Encodes

Representation = Embedding | Encoder
"""What has points for words: a list of them, or what reads them."""


def reading_of(source: Representation, language: str = "") -> Encodes:
    """Return what gives sentences vectors: an encoder itself, a word list by the mean of words."""
    return MeanOfWords(source, language) if isinstance(source, Embedding) else source
