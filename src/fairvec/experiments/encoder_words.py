"""Word vectors distilled from an encoder: words alone, in templates, or in contexts of a corpus."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fairvec.core.errors import SettingError
from fairvec.embedding import Embedding
from fairvec.encoders import Encoder
from fairvec.encoders.contexts import Contexts, contexts_in
from fairvec.encoders.distil import alone, distilled
from fairvec.experiments.audit.languages import languages_of
from fairvec.languages.sentences import Sentence, Templates, sentence_with_word, templates
from fairvec.languages.words import Word
from fairvec.lexicon import shipped_suites


@dataclass(frozen=True)
class TemplateSentences:
    """Words in sentences that say nothing but the word."""

    language: str

    @property
    def description(self) -> str:
        """What a history says of it."""
        return "mean over templates"

    def of(self, word: Word) -> list[Sentence]:
        """Return the sentences of one word."""
        return [
            sentence_with_word(template, word.word, self.language)
            for template in self._templates.of(word.pos)
        ]

    def aligned(self, words: Sequence[Word]) -> list[tuple[Sentence, ...]]:
        """Return sentences that differ in these words alone, a set of them for each template."""
        shared = self._templates.shared_by([word.pos for word in words])
        return [
            tuple(sentence_with_word(template, word.word, self.language) for word in words)
            for template in shared
        ]

    @property
    def _templates(self) -> Templates:
        return templates(self.language)


class CorpusSentences:
    """Words in sentences of a corpus, all found at once: a pass over a corpus takes long."""

    def __init__(self, contexts: Contexts, words: Iterable[Word], language: str = "") -> None:
        unique_words = [*dict.fromkeys(words)]
        find = contexts_in(contexts, language)
        sentences = find([word.spellings for word in unique_words])
        self._found = dict(zip(unique_words, sentences, strict=True))

    @property
    def description(self) -> str:
        """What a history says of it."""
        return "mean over contexts of a corpus"

    def of(self, word: Word) -> list[Sentence]:
        """Return the sentences of one word."""
        return [*self._found[word]]

    def aligned(self, words: Sequence[Word]) -> list[tuple[Sentence, ...]]:
        """Return the sentences of each word with the others in its place, as Sent-Debias does."""
        return [
            tuple(
                Sentence(sentence.before, replacement.word, sentence.after) for replacement in words
            )
            for word in words
            for sentence in self._found[word]
        ]


def distil(
    encoder: Encoder,
    words: Iterable[str],
    *,
    in_templates: bool = False,
    contexts: Contexts | None = None,
) -> Embedding:
    """Return word vectors of an encoder as an ordinary embedding.

    A word is read alone; or its vector is the mean over the templates of the encoder's language
    (`in_templates`), or over its `contexts` in a corpus. Every metric and method then works on it.
    """
    entries = [Word(word=word) for word in dict.fromkeys(words)]
    if not entries:
        raise SettingError("There are no words to distil; give a list of them.")
    if contexts and in_templates:
        raise SettingError("Words stand in templates or in contexts of a corpus; choose one.")
    if contexts:
        language = encoder.languages[0] if len(encoder.languages) == 1 else ""
        sentences: CorpusSentences | TemplateSentences = CorpusSentences(
            contexts, entries, language
        )
    elif in_templates:
        languages = languages_of(encoder)
        if len(languages) != 1:
            raise SettingError(
                f"{encoder.name} does not say its one language, by which templates are chosen; say "
                "--language."
            )
        sentences = TemplateSentences(languages[0])
    else:
        return distilled(encoder, alone([word.word for word in entries]), "each word alone")
    return distilled(
        encoder, {word.word: sentences.of(word) for word in entries}, sentences.description
    )


def words_of_suites(language: str) -> list[str]:
    """Return every word of the shipped suites of a language, so that tests find them."""
    sets = (
        wordset
        for suite in shipped_suites()
        for wordset in suite.sets.values()
        if suite.language == language
    )
    return [*dict.fromkeys(word.word for wordset in sets for word in wordset.words)]
