"""What gives words sentences in which they stand."""

from collections.abc import Callable, Sequence

from fairvec.encoders.sentence import Sentence

Spellings = tuple[str, ...]
"""The spellings of a word, the listed one first."""

Contexts = Callable[[Sequence[Spellings]], Sequence[Sequence[Sentence]]]
"""What gives each of several words, asked by its spellings, the sentences in which it stands."""
