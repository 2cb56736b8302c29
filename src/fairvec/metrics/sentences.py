"""The words of a test in sentences that say nothing but the word."""

from collections.abc import Sequence
from itertools import chain
from typing import Literal

from fairvec.embedding.encoders import Sentence
from fairvec.geometry import FloatArray
from fairvec.lexicon import Group, Groups
from fairvec.lexicon.templates import Templates

AttributeTemplates = Literal["own", "targets"]

_SLOT = "_"


def in_sentences(
    groups: Groups, templates: Templates, attribute_templates: AttributeTemplates = "own"
) -> dict[str, list[list[Sentence]]]:
    """Return for each list the sentences of each of its words.

    A word takes the templates of its part of speech, or of its list's, as the language has it;
    with "targets" the words of A and B take those of X and Y, each template once.
    """
    parts = {role: _parts_of_speech(groups[role], templates) for role in ("x", "y", "a", "b")}
    if attribute_templates == "targets":
        targets = tuple(dict.fromkeys(chain(*parts["x"], *parts["y"])))
        parts |= {role: [targets] * len(parts[role]) for role in ("a", "b")}
    return {
        role: [
            _sentences(found.word.word, vector, each, templates)
            for found, vector, each in zip(
                groups[role].found, groups[role].vectors, wanted, strict=True
            )
        ]
        for role, wanted in parts.items()
    }


def _parts_of_speech(group: Group, templates: Templates) -> list[tuple[str | None, ...]]:
    return [(templates.pos_of(found.word, group.wordset),) for found in group.found]


def _sentences(
    word: str, vector: FloatArray, parts: Sequence[str | None], templates: Templates
) -> list[Sentence]:
    sentences = {}
    for pos in parts:
        slotted = templates.sentences(_SLOT, pos)
        for text, template in zip(templates.sentences(word, pos), slotted, strict=True):
            # What follows the slot is never changed; what precedes it may be (a, an).
            end = len(text) - len(template.partition(_SLOT)[2])
            start = end - len(word)
            sentences[text] = Sentence(text[:start], text[start:end], text[end:], vector)
    return [*sentences.values()]
