"""Malayalam: a person's word is swapped where it stands, as no verb agrees with it."""

from collections.abc import Iterator

from fairvec.languages.language import language
from fairvec.languages.rewriting import (
    UncertainError,
    edit_word,
    is_within,
    quoted_spans,
    reason,
    rewrite_table,
    suggest_at,
)
from fairvec.languages.text import Document
from fairvec.results.documents import Aim, Edit, Side, Suggestion


def suggest(document: Document, aim: Aim) -> Iterator[Suggestion]:
    """Give a swap, or a flag where none is certain, at each word for a person."""
    terms = {side: term for term in rewrite_table("ml").terms for side in (term.a, term.b)}
    quotes = quoted_spans(document.text, 0, len(document.text))
    for token in document.tokens:
        word = language("ml").spelling.fold(token.text)
        if word not in terms:
            continue
        term = terms[word]
        edits: tuple[Edit, ...] = ()
        new = term.b if word == term.a else term.a
        try:
            if aim == "neutral":
                raise UncertainError("no-neutral-word")
            if is_within(quotes, token.start):
                raise UncertainError("quoted")
            edits = (edit_word(token, new),)
            why = reason("ml", "swapped", word=new)
        except UncertainError as uncertain:
            why = reason("ml", "flag", reason=uncertain.reason("ml"))
        side: Side = "a" if word == term.a else "b"
        words = (new,) if aim == "swap" else ()
        yield suggest_at(token, token, term.rule, why, side, edits=edits, candidates=words)
