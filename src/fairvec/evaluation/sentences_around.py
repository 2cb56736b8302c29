"""The sentences in which words are put for an encoder: templates, or contexts of a corpus."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fairvec.encoders import Sentence
from fairvec.encoders.contexts import Contexts
from fairvec.lexicon import Templates, Word, templates
from fairvec.lexicon.sentence_templates import placed_in


@dataclass(frozen=True)
class InTemplates:
    """Words in sentences that say nothing but the word."""

    language: str

    @property
    def said(self) -> str:
        """What a history says of it."""
        return "mean over templates"

    def of(self, word: Word) -> list[Sentence]:
        """Return the sentences of one word."""
        return [placed_in(each, word.word) for each in self._known.of(word.pos)]

    def alike(self, words: Sequence[Word]) -> list[tuple[Sentence, ...]]:
        """Return sentences that differ in these words alone, a set of them for each template."""
        shared = self._known.shared_by([word.pos for word in words])
        return [tuple(placed_in(each, word.word) for word in words) for each in shared]

    @property
    def _known(self) -> Templates:
        return templates(self.language)


class InContexts:
    """Words in sentences of a corpus, all found at once: a pass over a corpus takes long."""

    def __init__(self, contexts: Contexts, words: Iterable[Word]) -> None:
        wanted = [*dict.fromkeys(words)]
        found = contexts([word.spellings for word in wanted])
        self._found = dict(zip(wanted, found, strict=True))

    @property
    def said(self) -> str:
        """What a history says of it."""
        return "mean over contexts of a corpus"

    def of(self, word: Word) -> list[Sentence]:
        """Return the sentences of one word."""
        return [*self._found[word]]

    def alike(self, words: Sequence[Word]) -> list[tuple[Sentence, ...]]:
        """Return the sentences of each word with the others in its place: Sent-Debias' way."""
        return [
            tuple(Sentence(found.before, other.word, found.after) for other in words)
            for word in words
            for found in self._found[word]
        ]
