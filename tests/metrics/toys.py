"""Small tests and embeddings with known scores, and a metric that is not fairvec's own."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import numpy as np

from fairvec.embedding import Embedding
from fairvec.geometry import COSINE, Euclidean, FloatArray, Geometry, Similarity
from fairvec.geometry.directions import beta
from fairvec.geometry.norms import normalize_rows
from fairvec.languages.sentences import Sentence, Templates
from fairvec.languages.words import Word, WordSet
from fairvec.lexicon import Groups, Test, parse_suite, resolve
from fairvec.metrics import Score, Traits, WordShare
from fairvec.results.identities import Convention
from tests import toys

# --- Small tests with pairs, written down with their vectors ---


def made_of(lists: Mapping[str, Sequence[str]], *, paired: bool) -> Test:
    """A test whose lists have these words."""
    sets = "".join(
        f'[sets.{role}]\ntitle = "{role}"\nwords = {list(words)!r}\n'
        for role, words in lists.items()
    )
    roles = "".join(f'{role} = "{role}"\n' for role in lists)
    suite = parse_suite(
        'id = "toy"\nversion = "1"\nlanguage = "en"\ntitle = "Toy"\nsource = "Toy"\n'
        f'licence = "None needed."\n{sets}[[tests]]\nid = "one"\ntitle = "One"\n'
        f'category = "gender"\nkind = "bias"\npaired = {str(paired).lower()}\n{roles}'
    )
    return suite.tests[0]


def looked_up(
    vectors: Mapping[str, Mapping[str, Sequence[float]]],
    *,
    paired: bool = False,
    space: Geometry | None = None,
) -> Groups:
    """The lists of a test, each word with its vector."""
    keys = {word: vector for words in vectors.values() for word, vector in words.items()}
    matrix: FloatArray = np.array(list(keys.values()), dtype=np.float64)
    embedding = Embedding(list(keys), matrix, space or Euclidean(), "toy")
    lists = {role: list(words) for role, words in vectors.items()}
    return resolve(made_of(lists, paired=paired), embedding)


PAIRS: dict[str, dict[str, Sequence[float]]] = {
    "words": {"on": (2, 0, 0), "between": (-1, 1, 0), "across": (0, 3, 4)},
    "a": {"he": (3, 4, 0), "man": (5, 0, 12)},
    "b": {"she": (-3, 4, 0), "woman": (-5, 0, 12)},
}
"""Pairs of unequal lengths that differ along the first axis only: 6/5 and 10/13 at length one."""


def cosine(u: Sequence[float] | FloatArray, v: Sequence[float] | FloatArray) -> float:
    """The cosine, straight from its formula."""
    return float(np.dot(u, v) / np.sqrt(np.dot(u, u) * np.dot(v, v)))


# --- A toy test whose words take different numbers of sentences, and templates for them ---


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


# --- Contexts for tests: sentences that depend on the word alone ---


def toy_contexts(words: Sequence[tuple[str, ...]]) -> list[list[Sentence]]:
    """Give each word two to four sentences: some of unknown words, the last with a known one."""
    return [_sentences(spellings[0]) for spellings in words]


def _sentences(word: str) -> list[Sentence]:
    number = int.from_bytes(sha256(word.lower().encode()).digest()[:4], "big")
    bland = [Sentence(f"{at} unheard-of ", word, ".") for at in range(1 + number % 3)]
    return [*bland, Sentence(f"w{number % 40} and ", word, "!")]


def lacking(*lost: str) -> object:
    """Give the toy contexts, but none of some words."""

    def contexts(words: Sequence[tuple[str, ...]]) -> list[list[Sentence]]:
        return [[] if word[0] in lost else _sentences(word[0]) for word in words]

    return contexts


# --- A metric that is not fairvec's own, and ways to break it ---


TRAITS = Traits(
    sees="X to A, Y to B",
    shown="above",
    positive="X is nearer to A",
    positive_words="a",
    swapped_attributes="turned",
    swapped_targets="turned",
)


@dataclass(frozen=True)
class Gap:
    """The mean cosine of X with A less that with B, less the same of Y."""

    name: str = "gap"
    needs: tuple[str, ...] = ("x", "y", "a", "b")
    neutral: float | None = 0.0
    meaning: str = "Positive: X is nearer to A than Y is; 0: no difference."
    convention: Convention | None = None
    traits: Traits = field(default=TRAITS)

    @property
    def similarity(self) -> Similarity | None:
        return None

    def measure(self, groups: Groups, geometry: Geometry) -> Score:
        shares: list[WordShare] = []
        for role in "xy":
            to_a, to_b = (
                COSINE.between(groups[role].vectors, groups[other].vectors, geometry).mean(axis=1)
                for other in "ab"
            )
            shares += [
                WordShare(found, role, float(leaning), None)
                for found, leaning in zip(groups[role].found, to_a - to_b, strict=True)
            ]
        x, y = (np.mean([one.leaning for one in shares if one.role == role]) for role in "xy")
        return Score(self.distort(float(x - y), groups), tuple(shares))

    def distort(self, value: float, groups: Groups) -> float:
        return value


def pairwise_beta(words: FloatArray, others: FloatArray, direction: FloatArray) -> FloatArray:
    """Beta of Bolukbasi et al. (2016) for every row of `words` with every row of `others`."""
    words, others = normalize_rows(words), normalize_rows(others)
    return beta(words @ others.T, (words @ direction)[:, None], (others @ direction)[None])
