"""A toy test whose words take different numbers of sentences, and templates for them."""

from collections.abc import Callable
from typing import Any

import numpy as np

from fairvec.embedding import Embedding
from fairvec.geometry import Euclidean, Geometry
from fairvec.languages.sentences import Templates
from fairvec.languages.words import Word, WordSet
from fairvec.lexicon import Test
from tests import toys

KINDS = {
    "common-noun": ("this is a(n) _.", "the _ is here.", "_"),
    "name": ("this is _.", "_ is here."),
    "verb": ("this may _.",),
    "adjective": ("this is _.",),
}
_PARTS = {"salary": "PROPN", "home": "VERB", "family": "VERB", "girl": "PROPN"}

TEST = Test(
    id="toy/one",
    title="One",
    category="gender",
    kind="bias",
    language="en",
    sets={
        role: WordSet(
            id=role,
            title=f"{role} words",
            pos="NOUN",
            words=tuple(Word(word=word, pos=_PARTS.get(word)) for word in words),
        )
        for role, words in toys.WORDS.items()
    },
)


def templates(chosen_by: str = "word", kinds: dict[str, tuple[str, ...]] = KINDS) -> Templates:
    """Bleached sentences of very different number and length."""
    settings: Any = {"chosen_by": chosen_by, "kinds": kinds}
    return Templates(language="en", source="Toy", licence="None needed.", **settings)


def only(*sentences: str) -> Callable[[str], Templates]:
    """The same templates for every part of speech, for Seat to find."""
    made = templates(kinds=dict.fromkeys(KINDS, sentences))
    return lambda language: made


def embedding(bias: float = 0.3, *, seed: int = 0, space: Geometry | None = None) -> Embedding:
    """The toy embedding, which also knows the words of the templates."""
    toy = toys.embedding(bias, seed=seed)
    extra = ["this", "that", "is", "a", "an", "the", "here", "may"]
    around = np.random.default_rng(seed + 1).normal(size=(len(extra), toy.dimensions)) * 0.1
    return Embedding(
        [*toy.keys, *extra], np.concatenate([toy.vectors, around]), space or Euclidean(), "toy"
    )
