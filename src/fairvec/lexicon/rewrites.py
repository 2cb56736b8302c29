"""The tables by which a text is rewritten: gendered terms, their other halves and neutral words."""

from functools import cache

from pydantic import Field

from fairvec.lexicon.of_language import WordsOfLanguage
from fairvec.lexicon.toml_file import table_of_language
from fairvec.lexicon.words import Frozen, Id, Text


class GenderedTerm(Frozen):
    """A term of group a, its counterpart of group b, and the word for both.

    One that is empty has no certain counterpart: where it would be needed, the place is flagged.
    `why` is said to the person who decides.
    """

    a: str = ""
    b: str = ""
    neutral: str = ""
    rule: Id
    why: str = ""


class RewriteTable(WordsOfLanguage):
    """The rules of one language: its gendered terms, and whatever tables its grammar needs."""

    rules: dict[Id, Text]
    """Each rule that a proposal may name, and what it does in one sentence."""
    terms: tuple[GenderedTerm, ...]
    tables: dict[str, dict[str, str]] = Field(default_factory=dict)
    lists: dict[str, tuple[str, ...]] = Field(default_factory=dict)


@cache
def rewrite_table(language: str) -> RewriteTable:
    """Return the table of a language, or raise UnknownNameError with those that there are."""
    return table_of_language(language, "rewrites", "rules to rewrite a text", RewriteTable)
