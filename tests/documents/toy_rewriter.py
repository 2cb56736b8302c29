"""A rewriter of two rules: chairman becomes chair, and he is flagged."""

import re

from fairvec.languages.rewriting import Aim, Edit, Proposal
from fairvec.languages.text import Document


def propose(document: Document, aim: Aim) -> tuple[Proposal, ...]:
    """Search the text itself, as a rule may: it must hold nothing that people do not read."""
    found = []
    for match in re.finditer(r"\bchairman\b|\b[Hh]e\b", document.text):
        start, end = match.span()
        if match.group() == "chairman":
            new = "chair" if aim == "neutral" else "chairwoman"
            edits = (Edit(start, end, match.group(), new),)
            found.append(Proposal(start, end, "chair", "It is neutral.", edits, "a"))
        else:
            found.append(Proposal(start, end, "he", "Who is it?", (), "a"))
    return tuple(found)
