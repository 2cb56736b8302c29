"""What a file that was read in Python leaves open, as the commands say it: here as a warning."""

from fairvec.embedding.embedding import Embedding
from fairvec.embedding.formats.last_number import remark_on_ending
from fairvec.embedding.space_in_question import question_of_space
from fairvec.ground.aloud import say_aloud


def warn_of_reading(embedding: Embedding) -> None:
    """Warn that points may lie in a ball though nobody said so, or that a file may be cut off."""
    ball, flat = (f"fairvec.load(..., geometry={name!r})" for name in ("poincare", "euclidean"))
    say_aloud(question_of_space(embedding, ball, flat))
    say_aloud(remark_on_ending(embedding))
