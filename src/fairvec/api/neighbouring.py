"""fairvec.neighbours: the words that are nearest to another."""

from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any, NamedTuple, Never

from fairvec.api.models import as_embedding
from fairvec.evaluation.near_words import cut_of, keys_of_words, near_words
from fairvec.geometry import natural_similarity
from fairvec.geometry import similarity as similarity_named
from fairvec.ground.errors import SettingError, UnknownNameError


class Neighbour(NamedTuple):
    """A near word, and how similar it is."""

    word: str
    similarity: float


class NearestWords(list[Neighbour]):
    """The near words of a word, nearest first; `key` is how the model spells it.

    `similarity` names what was compared: large is near, also of a negative distance. `remarks` say
    how a word was found that is not there as typed, and whether words were left out of the model.
    """

    def __init__(
        self, near: Iterable[Neighbour], *, key: str, similarity: str, remarks: Sequence[str] = ()
    ) -> None:
        super().__init__(near)
        self.key = key
        self.similarity = similarity
        self.remarks = tuple(remarks)


def neighbours(
    model: Any, word: str, count: int = 10, *, similarity: str | None = None, **others: Never
) -> NearestWords:
    """Return the nearest words of a word, and how similar each is.

    Args:
        model: Word vectors, as in `fairvec.audit`.
        word: Looked up as those of tests are: by its case and the spelling rules of its script.
        count: How many.
        similarity: As in `fairvec.audit`; else cosine in flat space, negative distance in the ball.
        others: There are none; a slip is answered with the nearest of these names.

    >>> import fairvec
    >>> [near.word for near in fairvec.neighbours("glove-en-small", "doctor", 3)]
    ['physician', 'nurse', 'doctors']
    """
    for name in others:
        # gensim's name for it, which is nearer than its letters say.
        meant = ["count"] if name == "topn" else []
        raise UnknownNameError("setting", name, ("count", "similarity"), meant=meant)
    if not isinstance(word, str):
        raise SettingError(f"word= is {word!r}; give one word as text, and ask again for others.")
    if isinstance(count, bool) or not isinstance(count, Integral):
        raise SettingError(f"count= is {count!r}; give a whole number of 1 or more.")
    embedding = as_embedding(model)
    own = natural_similarity(embedding.geometry)
    by = own if similarity is None else similarity_named(similarity)
    remarks: list[str] = []
    keys = keys_of_words([word], embedding, remarks.append)
    (found,) = near_words(embedding, keys, count, by)
    if told := cut_of(embedding):
        remarks.append(told)
    near = zip(found.near, map(float, found.similarities), strict=True)
    return NearestWords(
        (Neighbour(*each) for each in near), key=found.key, similarity=by.name, remarks=remarks
    )
