"""A sentence beyond the length of a model is refused: a vector of its beginning would be wrong."""

from fairvec.encoders.sentence import Sentence
from fairvec.ground.errors import UnreadableError
from fairvec.ground.text.shown_values import shown


def too_long(model: str, sentence: Sentence, count: int, limit: int, of: str) -> UnreadableError:
    """Say that a sentence has so many tokens or characters, where a model takes fewer."""
    text = sentence.text
    return UnreadableError(
        f"{model} reads {limit} {of} at the most and the sentence {shown(text)} has {count}; it "
        "would have to be cut, so shorten it or leave it out.",
        text,
    )


def no_tokens(model: str, sentence: Sentence) -> UnreadableError:
    """Say that a tokenizer leaves nothing of a sentence."""
    return UnreadableError(
        f"The tokenizer of {model} knows no token of the sentence {shown(sentence.text)}; leave "
        "it out.",
        sentence.text,
    )
