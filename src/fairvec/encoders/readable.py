"""Which sentences an encoder can read: those of a corpus may be longer than it takes."""

from collections.abc import Sequence

from fairvec.encoders.sentence import Sentence
from fairvec.encoders.text_model import Encodes
from fairvec.ground.errors import UnreadableError


def unreadable(reader: Encodes, sentences: Sequence[Sentence]) -> frozenset[str]:
    """Return the texts that are too long for an encoder, or have no token.

    It reads the others, and an Encoder holds their vectors: what comes after costs nothing.
    """
    left_out: set[str] = set()
    while True:
        try:
            reader.encode([one for one in sentences if one.text not in left_out])
        except UnreadableError as error:
            if error.text in left_out:
                raise
            left_out.add(error.text)
        else:
            return frozenset(left_out)
