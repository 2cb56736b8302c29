"""Every gendered word as that of the other sex: a paragraph at once, or not at all."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from fairvec.tasks.documents.document import document_of
from fairvec.tasks.documents.rewriting.english.counterparts import (
    GenderedPlace,
    gendered_places,
    may_name,
    why_not_swapped,
)
from fairvec.tasks.documents.rewriting.english.reading import EnglishSentence, paragraphs_of
from fairvec.tasks.documents.rewriting.proposal import Proposal, rewritten

_BACK = "Swapping it back would not give the text again, so that it is not certain."
_ELSEWHERE = "Another sentence of the paragraph is not certain, and half a swap would be wrong."
_NAMED = "The paragraph holds what may be a name, which its words may mean, and names are kept."
_SWAPPED = "Each gendered word of the sentence becomes its counterpart."


def swapped(
    text: str, paragraph: Sequence[EnglishSentence], *, swap_names: bool = False
) -> list[Proposal]:
    """Return the swap of each sentence of a paragraph, or flags at all its gendered words.

    Half a swap is wrong (the queen ... he), so that one uncertain sentence holds back the others;
    and it is certain only if swapping twice gives the paragraph again.
    """
    found = _of(paragraph)
    if not found or not all(proposal.certain for proposal in found):
        return found
    start = paragraph[0].start
    end = paragraph[-1].start + len(paragraph[-1].text)
    inside = text[start:end]
    once = rewritten(inside, (_moved(proposal, -start) for proposal in found))
    document = document_of(once, "en", blocks=((0, len(once)),))
    read = paragraphs_of(document, swap_names=swap_names)
    back = [proposal for again in read for proposal in _of(again)]
    if rewritten(once, back) == inside:
        return found
    return [flag for one in paragraph for flag in _flags(gendered_places(one), _BACK)]


def _of(paragraph: Sequence[EnglishSentence]) -> list[Proposal]:
    places = [gendered_places(sentence) for sentence in paragraph]
    reasons = [why_not_swapped(*each) for each in zip(paragraph, places, strict=True)]
    if any(may_name(*each) for each in zip(paragraph, places, strict=True)):
        reasons = [why or _NAMED for why in reasons]
    if not any(reasons):
        return [_together(each) for each in places if each]
    return [
        flag
        for each, why in zip(places, reasons, strict=True)
        for flag in _flags(each, why or _ELSEWHERE)
    ]


def _together(places: Sequence[GenderedPlace]) -> Proposal:
    edits = tuple(edit for place in places for edit in place.edits)
    sides = {place.side for place in places}
    side = places[0].side if len(sides) == 1 else ""
    start, end = places[0].start, places[-1].end
    return Proposal(start, end, "swap", _SWAPPED, edits, side)


def _flags(places: Sequence[GenderedPlace], why: str) -> Iterator[Proposal]:
    for place in places:
        yield Proposal(place.start, place.end, "swap-held", why, (), place.side)


def _moved(proposal: Proposal, by: int) -> Proposal:
    edits = tuple(replace(one, start=one.start + by, end=one.end + by) for one in proposal.edits)
    return replace(proposal, start=proposal.start + by, end=proposal.end + by, edits=edits)
