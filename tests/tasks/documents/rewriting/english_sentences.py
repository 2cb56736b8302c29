"""What the rules of English make of a sentence, in short."""

from fairvec.documents.check import proposals
from fairvec.languages.rewriting import Aim, Proposal, apply_edits
from fairvec.languages.text import parse_document


def found(text: str, aim: Aim = "neutral") -> tuple[Proposal, ...]:
    return proposals(parse_document(text, "en"), aim)


def certain(text: str, aim: Aim = "neutral") -> str:
    return apply_edits(text, (one for one in found(text, aim) if one.certain))


def flagged(text: str, aim: Aim = "neutral") -> list[str]:
    return [text[one.start : one.end] for one in found(text, aim) if not one.certain]
