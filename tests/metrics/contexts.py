"""Contexts for tests: sentences that depend on the word alone."""

from collections.abc import Sequence
from hashlib import sha256

from fairvec.languages.sentences import Sentence


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
