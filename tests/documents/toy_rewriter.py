"""A rewriter of two rules: chairman becomes chair, and he is flagged."""

import re

from fairvec.languages.text import Document
from fairvec.results.documents import Aim, Edit, Suggestion


def suggest(document: Document, aim: Aim) -> tuple[Suggestion, ...]:
    """Search the text itself, as a rule may: it must hold nothing that people do not read."""
    found = []
    for match in re.finditer(r"\bchairman\b|\b[Hh]e\b", document.text):
        start, end = match.span()
        if match.group() == "chairman":
            new = "chair" if aim == "neutral" else "chairwoman"
            edits = (Edit(start=start, end=end, old=match.group(), new=new),)
            found.append(
                Suggestion(
                    start=start,
                    end=end,
                    rule="chair",
                    reason="It is neutral.",
                    edits=edits,
                    side="a",
                )
            )
        else:
            found.append(Suggestion(start=start, end=end, rule="he", reason="Who is it?", side="a"))
    return tuple(found)
