"""How many gendered terms could be changed."""

from collections.abc import Sequence

from fairvec.ground.numbers import counted
from fairvec.lexicon.people import PeopleLists
from fairvec.results import DocumentFigure, DocumentIdentity
from fairvec.tasks.documents.rewriting.proposal import Aim, Proposal

_AIMS: dict[Aim, str] = {
    "neutral": "made neutral",
    "swap": "changed to those of the other group",
}


def term_figures(
    of: DocumentIdentity, proposed: Sequence[Proposal], aim: Aim, lists: PeopleLists, unit: str
) -> tuple[DocumentFigure, ...]:
    """Return how many terms a rule is certain how to change.

    Flags, of which no rule is certain, are counted beside them in the sentence only.
    """
    certain = [one for one in proposed if one.certain]
    flagged = len(proposed) - len(certain)
    return (
        DocumentFigure(
            document=of,
            measure="terms",
            what=aim,
            title=f"Terms that can be {_AIMS[aim]}",
            value=len(certain),
            neutral=None,
            meaning="How many places a rule is certain how to change; 0: none.",
            count_a=sum(one.group == "a" for one in proposed),
            count_b=sum(one.group == "b" for one in proposed),
            unit=unit,
            sentence=(
                f"{counted(len(certain), 'term', 'terms')} can be {_AIMS[aim]}, and "
                f"{counted(flagged, 'more is', 'more are')} only flagged, as no rule is certain."
            ),
            source=f"Rules of fairvec for {lists.language}.",
        ),
    )
