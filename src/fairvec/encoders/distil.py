"""Word vectors made of an encoder."""

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

    `how` says in the history what they are. Left out, and counted there, are sentences that are too
    long for it, and words without a sentence, or of which the tokenizer knows no piece.

    Bommasani, Davis & Cardie (2020), Interpreting Pretrained Contextualized Representations via
    Reductions to Static Embeddings, ACL, 4758-4781.
    """
    words = [word for word, each in sentences.items() if each]
    read = dict(zip(words, encoder.pieces(words), strict=True))
    unknown = {word for word in words if read[word].unknown >= read[word].all}
    own = {word: sentences[word] for word in words if word not in unknown}
    left_out = unreadable_sentences(encoder, [one for each in own.values() for one in each])
    readable = {
        word: [one for one in each if one.text not in left_out] for word, each in own.items()
    }
    known = [word for word, each in readable.items() if each]
    if not known:
        raise EncoderError(
            f"{encoder.name} knows none of the {pluralize(len(sentences), 'word')} wanted, or none "
            "has a sentence; give words of its language."
        )
    vectors = encoder.encode([one for word in known for one in readable[word]])
    sizes = [len(readable[word]) for word in known]
    starts = np.cumsum([0, *sizes[:-1]])
    means: FloatArray = np.add.reduceat(vectors, starts) / np.array(sizes)[:, None]
    details = {
        "how": how,
        "words": len(known),
        "sentences": sum(sizes),
        "without_sentence": len(sentences) - len(unknown) - len(known),
        "sentences_too_long": len(left_out),
        "unknown": len(unknown),
        **encoder.model.settings,
    }
    return Embedding(
        known,
        means.astype(np.float32),
        name=encoder.name,
        history=(*encoder.history, Step("distil", details)),
        languages=encoder.languages,
    )


def alone(words: Sequence[str]) -> dict[str, list[Sentence]]:
    """Return for each word the sentence that is nothing else."""
    return {word: [Sentence.alone(word)] for word in words}
