"""What could be changed in a document, by name, on the text that people read."""

from dataclasses import replace
from importlib.util import find_spec

from fairvec.evaluation.documents.reading import ReadText
from fairvec.ground.errors import MissingExtraError
from fairvec.results import ProposedChange, ProposedEdit
from fairvec.tasks.documents.reading.source import TextSource
from fairvec.tasks.documents.rewriting.languages import REWRITERS, proposals
from fairvec.tasks.documents.rewriting.proposal import Aim, Proposal

AIMS: tuple[Aim, ...] = ("neutral", "swap")

Named = dict[str, Proposal]
"""Proposals by the id under which they are accepted: n1 and so on for neutral, s1 for swap."""


def proposed_changes(text: ReadText, *, swap_names: bool = False) -> tuple[dict[Aim, Named], str]:
    """Return the proposals of each aim, and what is missing for others.

    Rules see what people read and nothing of the markup; where an edit would touch markup, or a
    word that goes on as an entity, the place is flagged only.
    """
    if find_spec(REWRITERS.get(text.document.language, "fairvec.no_rules")) is None:
        return {}, f"There are no rules to rewrite the language {text.document.language!r}."
    seen = replace(text.document, text=text.source.read)
    found: dict[Aim, Named] = {}
    try:
        for aim in AIMS:
            found_there = proposals(seen, aim, swap_names=swap_names)
            some = (_in_raw_text(one, text.source) for one in found_there)
            found[aim] = {f"{aim[0]}{number}": one for number, one in enumerate(some, 1)}
    except MissingExtraError as error:
        return {}, str(error)
    return found, ""


def _in_raw_text(proposal: Proposal, source: TextSource) -> Proposal:
    """Return a proposal, or a flag where its words are not all that stands there.

    Of `he&#39;s` a rule sees he alone, and would write they before what is left.
    """

    def whole(start: int, end: int, old: str) -> bool:
        glued = source.text[end : end + 1] == "&" != source.read[end : end + 1]
        return source.text[start:end] == old and not glued

    if all(whole(edit.start, edit.end, edit.old) for edit in proposal.edits):
        return proposal
    return replace(proposal, edits=())


def as_record(id: str, aim: Aim, proposal: Proposal) -> ProposedChange:
    """Return a proposal as it is written down."""
    return ProposedChange(
        id=id,
        start=proposal.start,
        end=proposal.end,
        aim=aim,
        rule=proposal.rule,
        why=proposal.why,
        side=proposal.group,
        edits=tuple(
            ProposedEdit(start=edit.start, end=edit.end, old=edit.old, new=edit.new)
            for edit in proposal.edits
        ),
    )
