"""Counterfactual text: lines whose gendered words give way to their counterparts.

Lu, Mardziel, Wu, Amancharla and Datta (2020), Gender Bias in Neural Natural Language Processing,
doi:10.1007/978-3-030-62077-6_14: each line and its swapped copy. Hall Maudslay, Gonen, Cotterell
and Teufel (2019), It's All in the Name, doi:10.18653/v1/D19-1530: each line or its swapped copy, by
a coin, so that the text is no longer than it was.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import blake2b, sha256
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from fairvec.core.errors import SettingError
from fairvec.core.settings import Seed, settings
from fairvec.languages.language import language as language_named
from fairvec.languages.people import SwapByContext
from fairvec.training.text import WordsOf

AugmentBy = Annotated[
    Literal["augmentation", "substitution"],
    Field(
        description="Add a swapped copy of each line (augmentation, the default), or put it in its "
        "place by a coin (substitution)."
    ),
]
LinesOfWords = Callable[[Iterable[list[str]]], Iterator[list[str]]]
"""Maps lines of words to lines of words."""


@settings
class Augmentation:
    """What is swapped, and whether copies are added to lines (augmentation) or take their place.

    `swaps` are words, each with the one to put in its place, as `counterparts` gives them; `names`
    are first names in the same way (`paired_names`), and without them names are left alone.
    Substitution turns a line round by a coin of its number and the seed, so that it does not matter
    who reads which lines. Verbs and adjectives that agree with a word are left as they are: in
    Hindi and Russian the swapped sentence may be ungrammatical, and only lemmas are safe from that.
    """

    name: ClassVar[str] = "augmentation"
    concept: Annotated[str, Field(description="The concept of the pairs.")]
    swaps: Annotated[
        tuple[tuple[str, str], ...],
        Field(description="Words, each with the one to put in its place."),
    ]
    names: Annotated[
        tuple[tuple[str, str], ...], Field(description="First names in the same way.")
    ] = ()
    by: AugmentBy = "augmentation"
    seed: Annotated[Seed, Field(description="Seed of the coin.")] = 0

    @property
    def about(self) -> dict[str, Any]:
        """The details in the history of a model."""
        listed = "\n".join("\t".join(swap) for swap in (*self.swaps, *self.names))
        return {
            "augmented_with": self.concept,
            "augmented_by": self.by,
            "augmenting_seed": self.seed,
            "swapped_words": len(self.swaps),
            "swapped_names": len(self.names),
            "swaps_sha256": sha256(listed.encode()).hexdigest(),
        }

    @property
    def language(self) -> str:
        """The language of the concept: its id begins with it."""
        return self.concept.partition("/")[0]

    def lines(self, swapper: "WordSwapper") -> LinesOfWords:
        """Return the map from the lines that are read to those that are learnt from."""

        def augment(lines: Iterable[list[str]]) -> Iterator[list[str]]:
            for number, words in enumerate(lines):
                if self.by == "augmentation":
                    yield words
                    yield swapper(words)
                else:
                    yield swapper(words) if coin_flip(number, self.seed) else words

        return augment


@dataclass(frozen=True)
class WordSwapper:
    """Words as a text has them, each with what takes its place, by the words around it for some."""

    table: dict[str, str]
    by_context: tuple[SwapByContext, ...] = ()

    @classmethod
    def of(
        cls,
        swaps: Sequence[tuple[str, str]],
        words_of: WordsOf,
        *,
        cased: bool,
        language: str,
    ) -> "WordSwapper":
        """Find the words as the text's own reader has them: in its case, as lemmas, with tags.

        What it cuts into several words is left out. A word keeps its case (He, She), and its
        ending (king's, queen's). No word gets two counterparts: the first stays.
        """
        of_language = language_named(language)
        forms = partial(
            _forms, endings=of_language.from_module("swaps", "ENDINGS", ()), cased=cased
        )
        table: dict[str, str] = {}
        for word, counterpart in swaps:
            found, replacement = words_of(word), words_of(counterpart)
            if len(found) == len(replacement) == 1 and found != replacement:
                for form, swapped_form in forms(found[0], replacement[0]):
                    table.setdefault(form, swapped_form)
        if not table:
            raise SettingError(
                "No word of the pairs to be swapped is one word of this text; choose other words "
                "or another concept."
            )
        by_context: tuple[SwapByContext, ...] = of_language.from_module("swaps", "SWAPS", ())
        by_context = tuple(swap for swap in by_context if table.get(swap.given[0]) == swap.given[1])
        for swap in by_context:
            table |= {form: other for pair in swap.others for form, other in forms(*pair)}
        return cls(table, by_context)

    def __call__(self, words: list[str]) -> list[str]:
        """Return the line with every word that has a counterpart swapped.

        Twice gives the line again, but for spelling variants and for what is read wrongly: her is
        his or him by the word that follows, and his, which is also what hers becomes, is her.
        """
        replacement = self.table.get
        swapped = [replacement(word, word) for word in words]
        if not self._swap_of_form.keys().isdisjoint(words):
            for place, word in enumerate(words):
                if swap := self._swap_of_form.get(word):
                    following = words[place + 1] if place + 1 < len(words) else None
                    swapped[place] = _match_case(word, swap.choose(following))
        return swapped

    @cached_property
    def _swap_of_form(self) -> dict[str, SwapByContext]:
        return {
            form: swap
            for swap in self.by_context
            for form in (swap.word, swap.word.title(), swap.word.upper())
        }


def coin_flip(number: int, seed: int) -> bool:
    """Return how a coin falls for the line of this number, the same whoever reads it."""
    return bool(blake2b(f"{seed} {number}".encode(), digest_size=1).digest()[0] & 1)


def _forms(
    word: str, counterpart: str, *, endings: Sequence[str], cased: bool
) -> Iterator[tuple[str, str]]:
    for ending in ("", *endings):
        pair = word + ending, counterpart + ending
        yield pair
        if cased:
            yield word.title() + ending, counterpart.title() + ending
            yield word.upper() + ending, counterpart.upper() + ending
            yield word.upper() + ending.upper(), counterpart.upper() + ending.upper()


def _match_case(word: str, other: str) -> str:
    if word.islower():
        return other
    return other.upper() if word.isupper() else other.title()
