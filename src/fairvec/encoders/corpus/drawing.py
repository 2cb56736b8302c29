"""A sample of a word's contexts that does not depend on their order or on other words."""

from hashlib import blake2b
from heapq import heappush, heappushpop

from fairvec.encoders.contexts import Spellings
from fairvec.encoders.corpus.wanted import Sighting
from fairvec.encoders.sentence import Sentence


class Drawing:
    """The contexts of one word that were drawn so far, at most so many.

    Every sentence has a number that is as good as random, a hash of it with the word and the seed,
    and those with the smallest numbers are kept. So each sentence has the same chance, whatever
    their order; a repeated sentence counts once; and fewer contexts are the first of more.
    """

    def __init__(self, word: Spellings, most: int, seed: int) -> None:
        key = blake2b("\n".join([str(seed), *word]).encode("utf-8", "surrogatepass")).digest()
        self._hash = blake2b(digest_size=8, key=key)
        self._most = most
        self._kept: list[tuple[int, str, int, int]] = []
        self._numbers: set[int] = set()
        self.found = 0
        self.too_long = 0

    def add(self, sentence: str, seen: Sighting) -> None:
        """Take a sentence in which the word stands into the draw."""
        self.found += 1
        own = self._hash.copy()
        own.update(sentence.encode())
        number = int.from_bytes(own.digest())
        if number in self._numbers:
            return
        context = (-number, sentence, seen.start, seen.end)
        self._numbers.add(number)
        if len(self._kept) < self._most:
            heappush(self._kept, context)
        else:
            self._numbers.remove(-heappushpop(self._kept, context)[0])

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The contexts that were drawn, in an order that is random too."""
        return tuple(
            Sentence(text[:start], text[start:end], text[end:])
            for _, text, start, end in sorted(self._kept, reverse=True)
        )
