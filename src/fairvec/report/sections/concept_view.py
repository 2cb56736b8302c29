"""A concept in one model, in two figures: what its pairs share, and where words stand."""

from collections.abc import Sequence

from fairvec.ground.numbers import number, percent, signed, whole
from fairvec.report.plots import Mark
from fairvec.results import ConceptView, Outcome, PlacedWord

KINDS = {
    "listed": "listed as specific",
    "learnt": "specific by the plane",
    "neutral": "neutral",
}


def views(outcomes: Sequence[Outcome]) -> list[ConceptView]:
    """Return the views among the outcomes."""
    return [outcome for outcome in outcomes if isinstance(outcome, ConceptView)]


def about_pairs(view: ConceptView) -> str:
    """Return what the first component says, in one sentence."""
    first = view.components[0]
    most = percent(first.by_chance_high)
    return (
        f"One direction holds {percent(first.share)} of what {len(view.pairs)} pairs differ in; of "
        f"as many random pairs of words one direction holds {percent(first.by_chance)}, and at "
        f"most {most} in {percent(0.975)} of {whole(view.draws)} draws."
    )


def about_plane(view: ConceptView) -> str:
    """Return how well the plane parts specific words from the others."""
    recognised, taught = view.recognised
    doubt = (
        "; it leaves most of them on the neutral side, so read heights against one another"
        if recognised < taught / 2
        else ""
    )
    return f"The plane is that of {view.plane}; {recognised} of these {taught} lie below{doubt}."


def marks(view: ConceptView) -> list[Mark]:
    """Return the words of a view as marks; those that lean most get room for their words first."""
    ordered = sorted(view.words, key=lambda word: -abs(word.x))
    return [
        Mark(
            text=word.word,
            x=word.x,
            y=word.y,
            about=about_word(word, view.axis),
            kind=f"{word.kind} {'positive' if word.x > 0 else 'negative'}",
            x_after=word.x_after,
        )
        for word in ordered
    ]


def about_word(word: PlacedWord, axis: tuple[str, str]) -> str:
    """Return all that is known of one word, for its dot."""
    known = [
        word.word,
        word.transliteration,
        f"“{word.gloss}”" * bool(word.gloss),
        f"found as {word.key}" * (word.key != word.word),
        KINDS[word.kind],
        f"{signed(word.x, 3)} towards {axis[0] if word.x > 0 else axis[1]}",
        f"after the change {signed(word.x_after, 3)}" if word.x_after is not None else "",
        f"{number(abs(word.y))} {'above' if word.y > 0 else 'below'} the plane",
    ]
    return " · ".join(part for part in known if part)
