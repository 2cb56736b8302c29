"""Word vectors distilled from an encoder: the mean over sentences that contain the word."""

from collections.abc import Mapping, Sequence

import numpy as np

from fairvec.core.errors import EncoderError
from fairvec.core.format import pluralize
from fairvec.embedding import Embedding, Step
from fairvec.encoders.encoder import Encoder, unreadable_sentences
from fairvec.geometry import FloatArray
from fairvec.languages.sentences import Sentence


def distilled(encoder: Encoder, sentences: Mapping[str, Sequence[Sentence]], how: str) -> Embedding:
    """Return an embedding in which a word is the mean of the vectors of its sentences.

    `how` names the kind of sentences in the history. Left out, and counted there, are sentences
    that are too long, and words without a sentence or with no piece that the tokenizer knows.

    Bommasani, Davis & Cardie (2020), Interpreting Pretrained Contextualized Representations via
    Reductions to Static Embeddings, ACL, 4758-4781.
    """
    words = [word for word, contexts in sentences.items() if contexts]
    pieces = dict(zip(words, encoder.pieces(words), strict=True))
    unknown = {word for word in words if pieces[word].unknown >= pieces[word].all}
    known_words = {word: sentences[word] for word in words if word not in unknown}
    unreadable = unreadable_sentences(
        encoder, [sentence for contexts in known_words.values() for sentence in contexts]
    )
    readable = {
        word: [sentence for sentence in contexts if sentence.text not in unreadable]
        for word, contexts in known_words.items()
    }
    kept_words = [word for word, contexts in readable.items() if contexts]
    if not kept_words:
        raise EncoderError(
            f"{encoder.name} knows none of the {pluralize(len(sentences), 'word')} wanted, or none "
            "has a sentence; give words of its language."
        )
    vectors = encoder.encode([sentence for word in kept_words for sentence in readable[word]])
    sizes = [len(readable[word]) for word in kept_words]
    starts = np.cumsum([0, *sizes[:-1]])
    means: FloatArray = np.add.reduceat(vectors, starts) / np.array(sizes)[:, None]
    details = {
        "how": how,
        "words": len(kept_words),
        "sentences": sum(sizes),
        "without_sentence": len(sentences) - len(unknown) - len(kept_words),
        "sentences_too_long": len(unreadable),
        "unknown": len(unknown),
        **encoder.model.settings,
    }
    return Embedding(
        kept_words,
        means.astype(np.float32),
        name=encoder.name,
        history=(*encoder.history, Step("distil", details)),
        languages=encoder.languages,
    )


def alone(words: Sequence[str]) -> dict[str, list[Sentence]]:
    """Return for each word the sentence that consists of it alone."""
    return {word: [Sentence.alone(word)] for word in words}
