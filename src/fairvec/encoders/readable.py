"""Which sentences an encoder can read: those of a corpus may be longer than it takes."""

from collections.abc import Sequence

from fairvec.encoders.sentence import Sentence
from fairvec.encoders.text_model import Encodes
from fairvec.ground.errors import UnreadableError


def unreadable(reader: Encodes, sentences: Sequence[Sentence]) -> frozenset[str]:
    """Return the texts that are too long for an encoder, or have no token.

    It reads the others, and an Encoder holds their vectors: what comes after costs nothing. What
    holds such a text is halved, so that even very many of them cost little.
    """
    left_out: set[str] = set()
    # Of like length together, as they are read best.
    waiting = [sorted(dict.fromkeys(sentences), key=lambda one: len(one.text))]
    while waiting:
        some = [one for one in waiting.pop() if one.text not in left_out]
        try:
            reader.encode(some)
        except UnreadableError as error:
            if error.text in left_out:
                raise
            left_out.add(error.text)
            half = len(some) // 2
            waiting += [some[half:], some[:half]]
    return frozenset(left_out)
