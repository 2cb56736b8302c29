"""Fitting a debiasing method on sentences that an encoder reads (Sent-Debias)."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from fairvec.core.errors import LexiconError
from fairvec.encoders import Encoder
from fairvec.encoders.distil import distilled
from fairvec.encoders.encoder import unreadable_sentences
from fairvec.languages.sentences import Sentence
from fairvec.languages.words import Word
from fairvec.lexicon import Concept, Definition
from fairvec.mitigation.base import Debiaser
from fairvec.mitigation.plugins import fit_checked
from fairvec.mitigation.transform import Transform, require_uniform_move

ParallelSentences = Callable[[Sequence[Word]], Sequence[tuple[Sentence, ...]]]
"""For words that differ in the concept alone, many tuples of sentences that do: one a word."""


def fit_on_sentences(
    method: Debiaser, encoder: Encoder, concept: Concept, parallel: ParallelSentences
) -> Transform:
    """Return the transform that takes a concept out of an encoder's sentence vectors.

    Each pair or set of words that defines the concept becomes pairs or sets of sentences, and the
    method is fitted on these as it is on words. (With linear-projection this is Sent-Debias.)

    Liang, Li, Zheng, Lim, Salakhutdinov & Morency (2020), Towards Debiasing Sentence
    Representations, ACL, 5502-5515.
    """
    texts: dict[str, list[Sentence]] = {}

    def named(sentence: Sentence) -> str:
        """Return the text, with the place of the word if another sentence has the same text."""
        is_taken = texts.setdefault(sentence.text, [sentence]) != [sentence]
        name = (
            f"{sentence.text} ({sentence.word}, letter {sentence.span[0] + 1})"
            if is_taken
            else sentence.text
        )
        texts.setdefault(name, [sentence])
        return name

    def in_sentences(definition: Definition) -> Definition:
        aligned: Sequence[Sequence[Word]] = definition.pairs or definition.sets
        readable = [
            each
            for words in (aligned or [[word] for word in definition.words])
            for each in _readable(parallel(words), encoder)
        ]
        sets = tuple(tuple(Word(word=named(sentence)) for sentence in each) for each in readable)
        if not sets:
            raise LexiconError(
                f"{concept.name}: no words of it stand in a sentence that {encoder.name} reads; "
                "give contexts from a larger corpus, or use the templates."
            )
        kind = "pairs" if definition.pairs else "sets" if definition.sets else "words"
        entries = tuple(word for each in sets for word in each) if kind == "words" else sets
        return definition.model_copy(update={kind: entries})

    with_sentences = concept.model_copy(
        update={
            "variants": {concept.variant: in_sentences(concept.definition)},
            # Sentences of what no method asks for would be encoded for nothing.
            "keep": {
                name: in_sentences(each)
                for name, each in concept.keep.items()
                if hasattr(method, "keep") or hasattr(method, "against")
            },
            "equalise": (),
            "specific": (),
            "held_out": (),
        }
    )
    distilled_sentences = distilled(encoder, texts, "sentences of a concept")
    fitted = fit_checked(method, distilled_sentences, with_sentences)
    require_uniform_move(fitted)
    words = tuple(dict.fromkeys(word.word for word in concept.definition.entries))
    summary = f"{len(distilled_sentences):,} sentences of {len(words)} words"
    return replace(fitted, fitted_on=words, remarks={**fitted.remarks, "sentences": (summary,)})


def _readable(
    parallel: Sequence[tuple[Sentence, ...]], encoder: Encoder
) -> list[tuple[Sentence, ...]]:
    """Return the sentences that an encoder can read, all of a set or none.

    It must know a piece of the word, and the sentence must not be too long for it.
    """
    too_long = unreadable_sentences(encoder, [sentence for group in parallel for sentence in group])
    words = [sentence.word for group in parallel for sentence in group]
    pieces = dict(zip(words, encoder.pieces(words), strict=True))
    return [
        group
        for group in parallel
        if all(pieces[sentence.word].unknown < pieces[sentence.word].all for sentence in group)
        and too_long.isdisjoint(sentence.text for sentence in group)
    ]
