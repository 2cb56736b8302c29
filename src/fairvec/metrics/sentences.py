"""The words of a test in sentences that say nothing but the word."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import chain
from typing import Literal

from fairvec.encoders import Encodes, Sentence, reading_of
from fairvec.lexicon import Found, Group, Groups
from fairvec.lexicon.sentence_templates import ANY_WORD, Templates, placed_in

TargetTemplates = Literal["shared", "own"]
AttributeTemplates = Literal["shared", "own", "targets"]

Chosen = Mapping[str, Sequence[tuple[str, ...]]]
"""For each list the templates of each of its words."""

_TARGETS, _ATTRIBUTES = ("x", "y"), ("a", "b")


def chosen_templates(
    groups: Groups,
    templates: Templates,
    target_templates: TargetTemplates = "shared",
    attribute_templates: AttributeTemplates = "shared",
) -> Chosen:
    """Return which templates each word takes.

    "shared": all words of X and Y take the templates that their parts of speech have in common, or
    else those for any word; so do all words of A and B. "own": a word takes the templates of its
    part of speech, or of its list's, as the language has it, and so it does where nothing is
    shared. "targets": the words of A and B take all templates of X and Y, each once.
    """
    own = {role: _parts_of_speech(groups[role], templates) for role in (*_TARGETS, *_ATTRIBUTES)}
    chosen = {role: [templates.of(pos) for pos in parts] for role, parts in own.items()}
    for roles, how in ((_TARGETS, target_templates), (_ATTRIBUTES, attribute_templates)):
        every: tuple[str, ...] = ()
        if how == "targets":
            every = tuple(dict.fromkeys(chain(*chosen["x"], *chosen["y"])))
        elif how == "shared":
            every = templates.shared_by(chain.from_iterable(own[role] for role in roles))
        if every:
            chosen |= {role: [every] * len(own[role]) for role in roles}
    return chosen


def in_sentences(groups: Groups, chosen: Chosen) -> dict[str, list[list[Sentence]]]:
    """Return for each list the sentences of each of its words."""
    return {
        role: [
            _sentences(found, each) for found, each in zip(groups[role].found, wanted, strict=True)
        ]
        for role, wanted in chosen.items()
    }


def usual_reading(groups: Groups, role: str) -> Encodes:
    """Return what reads the sentences of any list: an encoder, or the mean of word vectors."""
    return reading_of(groups.source, groups.test.language)


def doubt_about(chosen: Chosen) -> str:
    """Say that two lists stand in different sentences; empty if they do not.

    A leaning then depends on the list a word is in, so that words of the two lists cannot change
    places even if there is no bias.
    """
    unlike = [
        f"{one.upper()} and {other.upper()}"
        for one, other in (_TARGETS, _ATTRIBUTES)
        if _shares(chosen[one]) != _shares(chosen[other])
    ]
    if not unlike:
        return ""
    return (
        f"The lists {', '.join(unlike)} stand in different sentences, which alone can make an "
        f"effect; let them share templates, and give their language some of the kind {ANY_WORD} "
        "if they have none in common."
    )


def _shares(templates: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], Fraction]:
    return {each: Fraction(n, len(templates)) for each, n in Counter(templates).items()}


def _parts_of_speech(group: Group, templates: Templates) -> list[str | None]:
    return [templates.pos_of(found.word, group.wordset) for found in group.found]


def _sentences(found: Found, templates: Sequence[str]) -> list[Sentence]:
    made = (placed_in(template, found.word.word, found.keys) for template in templates)
    return [*{one.text: one for one in made}.values()]
