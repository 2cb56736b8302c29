"""A rewriter of two rules: chairman becomes chair, and he is flagged."""

from fairvec.tasks.documents import Document
from fairvec.tasks.documents.rewriting.proposal import Aim, Edit, Proposal


def propose(document: Document, aim: Aim) -> tuple[Proposal, ...]:
    found = []
    for token in document.tokens:
        assert document.text[token.start : token.end] == token.text
        if token.text == "chairman":
            new = "chair" if aim == "neutral" else "chairwoman"
            edit = Edit(token.start, token.end, token.text, new)
            found.append(Proposal(token.start, token.end, "chair", "It is neutral.", (edit,), "a"))
        elif token.text.lower() == "he":
            found.append(Proposal(token.start, token.end, "he", "Who is it?", (), "a"))
    return tuple(found)
