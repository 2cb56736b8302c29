"""Rewriting tables of a language, what no rule is certain of, and where quotations stand.

rewrite_table          the terms and words of a language, and the reasons that its rules give
UncertainError         why no rule is certain of a place: a key of these reasons
quoted_spans           where quotations stand in a text
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import ParamSpec, Protocol

from pydantic import Field

from fairvec.core.io.toml_files import parse_toml, read_toml
from fairvec.core.validation import Frozen
from fairvec.languages.language import Language, table_of_language
from fairvec.languages.text import SentenceInText, token_pattern
from fairvec.languages.words import Id, LanguageTable, Text
from fairvec.results.documents import Edit, Side, Suggestion


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


class RewriteTable(LanguageTable):
    """The rules of one language: its gendered terms, and whatever tables its grammar needs."""

    rules: dict[Id, Text]
    """Each rule that a suggestion may name, and what it does in one sentence."""
    reasons: dict[Id, Text] = Field(default_factory=dict)
    """What is said to the person who decides, with {names} of the words that it names."""
    terms: tuple[GenderedTerm, ...]
    tables: dict[str, dict[str, str]] = Field(default_factory=dict)
    lists: dict[str, tuple[str, ...]] = Field(default_factory=dict)


@cache
def rewrite_table(language: str) -> RewriteTable:
    """Return the table of a language, or raise UnknownNameError with those that there are."""
    return table_of_language(language, "rewrites", "rules to rewrite a text", RewriteTable)


class _Reasons(Frozen):
    """What rules of several languages say."""

    reasons: dict[Id, Text]


@cache
def shared_reasons() -> dict[Id, Text]:
    """Return the reasons that rules of several languages give."""
    file = Path(__file__).with_name("reasons.toml")
    text = read_toml(file, "reasons")
    return parse_toml(text, file.name, _Reasons, lambda _: _Reasons.model_fields).reasons


def reason_template(language: str, key: str) -> str:
    """Return a reason of a language, or else the one that languages share, as its table has it."""
    own = rewrite_table(language).reasons
    return own[key] if key in own else shared_reasons()[key]


def reason(language: str, key: str, **words: object) -> str:
    """Return a reason with the words that it names."""
    return reason_template(language, key).format(**words)


def reason_sentence(language: str, key: str, **words: object) -> str:
    """Return a reason as a sentence; a word of the text with which it begins is left as it is."""
    template = reason_template(language, key)
    return f"{template[0].upper()}{template[1:]}.".format(**words)


class UncertainError(Exception):
    """No rule is certain what should stand at a place, which is then flagged."""

    def __init__(self, key: str, **words: object) -> None:
        super().__init__(key)
        self.key, self.words = key, words

    def reason(self, language: str) -> str:
        """Return why, in the words of a language's table."""
        return reason(language, self.key, **self.words)

    def sentence(self, language: str) -> str:
        """Return why as a sentence."""
        return reason_sentence(language, self.key, **self.words)


Arguments = ParamSpec("Arguments")


def obstacle(
    check: Callable[Arguments, object], *args: Arguments.args, **kwargs: Arguments.kwargs
) -> UncertainError | None:
    """Return the UncertainError that a check raises; None if it raises none."""
    try:
        check(*args, **kwargs)
    except UncertainError as uncertain:
        return uncertain.with_traceback(None)
    return None


def has_word(sentence: SentenceInText, wanted: Callable[[str], bool]) -> bool:
    """Whether a sentence has a word of which this is true."""
    return any(map(wanted, token_pattern().findall(sentence.read, sentence.start, sentence.end)))


class Located(Protocol):
    """What stands somewhere in a text: a word, or an edit."""

    @property
    def start(self) -> int: ...  # noqa: D102 - the name says it
    @property
    def end(self) -> int: ...  # noqa: D102 - the name says it


class LocatedWord(Located, Protocol):
    """A word of a text."""

    @property
    def text(self) -> str: ...  # noqa: D102 - the name says it


def edit_word(word: LocatedWord, new: str) -> Edit:
    """Return the edit that puts another word in the place of one."""
    return Edit(start=word.start, end=word.end, old=word.text, new=new)


def suggest_at(
    first: Located,
    last: Located,
    rule: str,
    reason: str,
    side: Side = "",
    *,
    edits: Sequence[Edit] = (),
    candidates: Iterable[str] = (),
    term: str = "",
) -> Suggestion:
    """Return a suggestion from one place to another; of the candidates those that there are."""
    return Suggestion(
        start=first.start,
        end=last.end,
        rule=rule,
        reason=reason,
        side=side,
        term=term,
        edits=tuple(edits),
        candidates=tuple(dict.fromkeys(filter(None, candidates))) if candidates else (),
    )


def match_case(old: str, new: str) -> str:
    """Return the new word with the capitals of the old: all, the first or none."""
    if len(old) > 1 and old.isupper():
        return new.upper()
    return new[:1].upper() + new[1:] if old[:1].isupper() else new


def in_order(found: Iterable[Suggestion]) -> list[Suggestion]:
    """Return suggestions in the order of the text."""
    return sorted(found, key=lambda suggestion: (suggestion.start, suggestion.end))


_DOUBLE = re.compile(
    r'"+[^"]*(?:"+|\Z)|“[^”]*(?:”|\Z)|„[^”“]*(?:[”“]|\Z)|«[^»]*(?:»|\Z)|‹[^›]*(?:›|\Z)', re.DOTALL
)
_SINGLE = re.compile("['‘’‚]")
# Words that begin with an apostrophe, which a quotation that does not end may not begin with.
_ELISION = re.compile(
    r"['‘’](?:tis|twas|twere|till?|em|cause|bout|round|n|\d\ds?)(?!\w)", re.IGNORECASE
)
_BEFORE_QUOTATION = frozenset('([{<-—–/…:;,"“„«‹')
_STOPS = frozenset(f",;:،؛{Language.model_fields['sentence_ends'].default}")

Span = tuple[int, int]


def quoted_spans(text: str, first: int, last: int) -> list[Span]:
    """Return where quotations stand in a paragraph, in order and apart from one another.

    Everything, where a double mark has no partner or stands within its own kind; from a single mark
    without a partner to the end.
    """
    matches = [*_DOUBLE.finditer(text, first, last)]
    found = [match.span() for match in matches]
    outside = [(first, *(end for _, end in found)), (*(start for start, _ in found), last)]
    plain = "".join(text[start:end] for start, end in zip(*outside, strict=True))
    nested = any(match[0][0] != '"' and match[0][0] in match[0][1:] for match in matches)
    odd = len(re.findall('"+', text[first:last])) % 2 == 1
    if nested or odd or any(mark in plain for mark in "”»›"):
        return [(first - 1, last)]
    return _merge([*found, *_single_quotations(text, first, last)])


def _single_quotations(text: str, first: int, last: int) -> list[Span]:
    """Return where quotations in single marks (‘…’, ‚…‘, '…') stand; apostrophes are none.

    A mark opens before a word and after none, and closes before none. After an s a mark that could
    close is an apostrophe (the dogs' owner) if another one could close later. What opens and never
    closes goes on to the end, and what closes alone after a stop began before.
    """
    marks = [
        (place, opens)
        for match in _SINGLE.finditer(text, first, last)
        if (opens := _may_open(text, place := match.start(), first, last))
        or _may_close(text, place, first, last)
    ]
    found: list[Span] = []
    start = -1
    for number, (place, opens) in enumerate(marks):
        closes_later = [other for other, may_open in marks[number + 1 : number + 2] if not may_open]
        if start < 0:
            elided = _ELISION.match(text, place)
            if opens and (not elided or any(text[other - 1] not in "sS" for other in closes_later)):
                start = place
            elif not opens and not found and text[place - 1] in _STOPS:
                found.append((first - 1, place + 1))
        elif not opens and not (text[place - 1] in "sS" and closes_later):
            found.append((start, place + 1))
            start = -1
    return [*found, (start, last)] if start >= 0 else found


def _may_open(text: str, place: int, first: int, last: int) -> bool:
    before, after = text[place - 1 : place] if place > first else " ", text[place + 1 : place + 2]
    starts = before.isspace() or before in _BEFORE_QUOTATION
    return starts and text[place] != "’" and place + 1 < last and not after.isspace()


def _may_close(text: str, place: int, first: int, last: int) -> bool:
    before, after = text[place - 1 : place] if place > first else " ", text[place + 1 : place + 2]
    return (
        not before.isspace() and text[place] != "‚" and (place + 1 >= last or not _is_letter(after))
    )


def _is_letter(character: str) -> bool:
    return character != "" and unicodedata.category(character)[0] in "LMN"


def _merge(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def is_within(spans: Sequence[Span], place: int) -> bool:
    """Whether a character lies in one of these spans, which are in order and apart."""
    nearest = bisect_right(spans, (place, 0)) - 1
    return nearest >= 0 and place < spans[nearest][1]
