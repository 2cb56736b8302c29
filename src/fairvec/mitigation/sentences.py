"""Fitting a method on sentences that an encoder reads, instead of on words."""

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

Alike = Callable[[Sequence[Word]], Sequence[tuple[Sentence, ...]]]
"""Gives for words that differ in the concept alone sentences that do: one for each, many times."""


def fit_on_sentences(
    method: Debiaser, encoder: Encoder, concept: Concept, alike: Alike
) -> Transform:
    """Return the transform that takes a concept out of an encoder's sentence vectors.

    Each pair or set of words that defines the concept becomes pairs or sets of sentences, and the
    method is fitted on these as it is on words. (With linear-projection this is Sent-Debias.)

    Liang, Li, Zheng, Lim, Salakhutdinov & Morency (2020), Towards Debiasing Sentence
    Representations, ACL, 5502-5515.
    """
    texts: dict[str, list[Sentence]] = {}

    def named(one: Sentence) -> str:
        """Return a sentence's name, its text, with the place of its word where that is another."""
        other = texts.setdefault(one.text, [one]) != [one]
        name = f"{one.text} ({one.word}, letter {one.span[0] + 1})" if other else one.text
        texts.setdefault(name, [one])
        return name

    def in_sentences(definition: Definition) -> Definition:
        aligned: Sequence[Sequence[Word]] = definition.pairs or definition.sets
        many = [
            each
            for words in (aligned or [[word] for word in definition.words])
            for each in _known(alike(words), encoder)
        ]
        sets = tuple(tuple(Word(word=named(one)) for one in each) for each in many)
        if not sets:
            raise LexiconError(
                f"{concept.name}: no words of it stand in a sentence that {encoder.name} reads; "
                "give contexts from a larger corpus, or use the templates."
            )
        kind = "pairs" if definition.pairs else "sets" if definition.sets else "words"
        said = tuple(word for each in sets for word in each) if kind == "words" else sets
        return definition.model_copy(update={kind: said})

    wide = concept.model_copy(
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
    read = distilled(encoder, texts, "sentences of a concept")
    fitted = fit_checked(method, read, wide)
    require_uniform_move(fitted)
    words = tuple(dict.fromkeys(word.word for word in concept.definition.entries))
    said = f"{len(read):,} sentences of {len(words)} words"
    return replace(fitted, fitted_on=words, remarks={**fitted.remarks, "sentences": (said,)})


def _known(many: Sequence[tuple[Sentence, ...]], encoder: Encoder) -> list[tuple[Sentence, ...]]:
    """Return the sentences that an encoder can read, all of a set or none.

    It must know a piece of the word, and the sentence must not be too long for it.
    """
    left_out = unreadable_sentences(encoder, [one for each in many for one in each])
    words = [one.word for each in many for one in each]
    pieces = dict(zip(words, encoder.pieces(words), strict=True))
    return [
        each
        for each in many
        if all(pieces[one.word].unknown < pieces[one.word].all for one in each)
        and left_out.isdisjoint(one.text for one in each)
    ]
