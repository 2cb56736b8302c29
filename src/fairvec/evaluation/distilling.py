"""Word vectors made of an encoder: what shell, Python and web all call."""

from collections.abc import Iterable

from fairvec.embedding import Embedding
from fairvec.encoders import Encoder
from fairvec.encoders.contexts import Contexts
from fairvec.encoders.distilled import alone, distilled
from fairvec.evaluation.choosing.languages import languages_of
from fairvec.evaluation.sentences_around import InContexts, InTemplates
from fairvec.ground.errors import SettingError
from fairvec.lexicon import Word, shipped_suites


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
    wanted = [Word(word=word) for word in dict.fromkeys(words)]
    if not wanted:
        raise SettingError("There are no words to distil; give a list of them.")
    if contexts and in_templates:
        raise SettingError("Words stand in templates or in contexts of a corpus; choose one.")
    if contexts:
        around: InContexts | InTemplates = InContexts(contexts, wanted)
    elif in_templates:
        languages = languages_of(encoder)
        if len(languages) != 1:
            raise SettingError(
                f"{encoder.name} does not say its one language, by which templates are chosen; say "
                "--language."
            )
        around = InTemplates(languages[0])
    else:
        return distilled(encoder, alone([word.word for word in wanted]), "each word alone")
    return distilled(encoder, {word.word: around.of(word) for word in wanted}, around.said)


def words_of_suites(language: str) -> list[str]:
    """Return every word of the shipped suites of a language, so that tests find them."""
    sets = (
        each
        for suite in shipped_suites()
        for each in suite.sets.values()
        if suite.language == language
    )
    return [*dict.fromkeys(word.word for each in sets for word in each.words)]
