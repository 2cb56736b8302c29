"""Text from outside made safe to show: on one line, escaped, cut short, in Markdown or cells.

Names of words, files and models are chosen by others. They may contain what moves a terminal's
cursor or reverses text, lone surrogates that no file can hold (Python reads the undecodable bytes
of file names as such), Markdown, or spreadsheet formulas.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date, time
from numbers import Integral, Real
from reprlib import Repr
from typing import Any, TypeVar, cast
from unicodedata import category
from xml.sax.saxutils import quoteattr

from fairvec.core.format import join_first

JOINERS = "\u200c\u200d"
"""Zero-width (non-)joiners, which letters of Hindi and of other scripts need."""


def one_line(text: str) -> str:
    """Return the text with each run of spaces, breaks and control characters as one space.

    Escape sequences of a terminal lose their escape character, and marks that change the direction
    of text are left out; joiners stay.
    """
    visible = (
        letter if letter in JOINERS or category(letter)[0] != "C" else " " for letter in text
    )
    return " ".join("".join(visible).split())


_INVISIBLE_OR_CONTROL = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f"  # controls, and those of a terminal in one byte
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"  # breaks, and marks of direction
    # Characters without width, with which two names look the same; not the joiners.
    "\xad\u034f\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb"
    "\u115f\u1160\u17b4\u17b5\u3164\uffa0"  # letters that show nothing
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\ud800-\udfff"
    "]"
)
# Joiners and variation selectors change their neighbours in Hindi, Persian or an emoji. In other
# scripts they only make one name look like another.
_JOINABLE = "[\xa9\xae\u0590-\U0010ffff]"
_STRAY_JOINERS = re.compile(f"(?<!{_JOINABLE})[\u200c\u200d\ufe00-\ufe0f]+(?!{_JOINABLE})")


def escape_control(text: str, *, but: str = "\n\t") -> str:
    """Return the text with control characters shown by their numbers, except those in `but`.

    The escapes are those of JSON, so that a line of JSON keeps its meaning. Joiners stay where
    words of Hindi and of other scripts need them.
    """
    escaped = _INVISIBLE_OR_CONTROL.sub(
        lambda match: match[0] if match[0] in but else json_escape(match[0]), text
    )
    return _STRAY_JOINERS.sub(lambda match: json_escape(match[0]), escaped)


def json_escape(letters: str) -> str:
    """Return letters as JSON escapes: one for each UTF-16 code unit."""
    units = letters.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


_NOT_XML = re.compile("[^\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_attributes(**values: str) -> str:
    """Return attributes of XML; characters that XML does not allow are escaped."""
    return "".join(
        f" {name}={quoteattr(_NOT_XML.sub(_number_of_letter, escape_control(text, but='')))}"
        for name, text in values.items()
    )


def _number_of_letter(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"


LONGEST, LONGEST_BITS = 100, 128
LONGEST_TEXT = 60
LONGEST_NAME = 200
_NAME = re.compile(rf"(\S{{{LONGEST_NAME}}})\S{{{LONGEST_NAME},}}")
"""A word twice as long as a name may be, which would hide the sentence around it."""
MOST_NAMED = 12
"""Names of a list that a message repeats at most."""


class _ShortRepr(Repr):
    """Plain values as Python writes them, cut short; other objects by the name of their type."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.maxlevel, self.maxstring = 3, most

    def repr_str(self, x: str, level: int) -> str:
        return repr(x if len(x) <= self.maxstring else f"{x[: self.maxstring]}...")

    def repr_int(self, x: int, level: int) -> str:
        return str(x) if x.bit_length() <= LONGEST_BITS else "a huge number"

    def repr_instance(self, x: Any, level: int) -> str:
        if x is None or isinstance(x, bool):
            return repr(x)
        if isinstance(x, date | time):
            return str(x)
        if isinstance(x, bytes):
            return repr(x[: self.maxstring])
        with suppress(OverflowError, ValueError):  # a fraction may be beyond every float
            if isinstance(x, Integral):
                return self.repr_int(int(x), level)
            if isinstance(x, Real):
                return repr(float(x))
        return f"<{type(x).__name__}>"


def short_repr(value: Any, most: int = LONGEST_TEXT) -> str:
    """Return a value as Python writes it, on one line and cut short.

    Of a text at most `most` characters are repeated, in quotation marks and escaped. Of an object
    only the type is named, because its own repr could be anything.
    """
    if isinstance(value, str):
        return _ShortRepr(most).repr_str(str(value), 0)
    text = _ShortRepr(most).repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def join_names(names: Sequence[str], most: int = MOST_NAMED) -> str:
    """Return the first names of a list, cut short: a, b, c and 400 more; "none" of an empty one."""
    first = [short_repr(name)[1:-1] for name in names[:most]]
    return join_first([*first, *names[most:]], most) or "none"


def truncate_words(sentence: str) -> str:
    """Return a sentence in which words of hundreds of letters are cut short."""
    return _NAME.sub(r"\1...", sentence)


Content = TypeVar("Content")


def escape_surrogates(content: Content) -> Content:
    """Return text with lone surrogates escaped, so that it can be written as UTF-8.

    In a list, tuple or dict every text is escaped; other values stay as they are.
    """
    return cast(Content, _escape_surrogates(content))


def _escape_surrogates(content: Any) -> Any:
    if isinstance(content, str):
        return (
            content if content.isascii() else content.encode("utf-8", "backslashreplace").decode()
        )
    if type(content) in (list, tuple):
        return type(content)(map(_escape_surrogates, content))
    if type(content) is dict:
        return {
            _escape_surrogates(name): _escape_surrogates(value) for name, value in content.items()
        }
    return content


def is_valid_utf8(text: str) -> bool:
    """Return whether a text can be written as UTF-8."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def replace_surrogates(text: str) -> str:
    """Return the text with lone surrogates as the replacement character."""
    if is_valid_utf8(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


_MARKS = re.compile(r"([\\`*_{}\[\]<>|~$])")
# References to people, issues and addresses have no escape of their own.
_REFERENCES = re.compile(r"[&@#]|:(?=\S)|(?<=www)\.", re.IGNORECASE)
_TAGS_AND_LINKS = re.compile(r"<(?=[A-Za-z/!?])|\](?=\s*[(\[:])|[`\\]")


def escaped_markdown(text: str, longest: int | None = None) -> str:
    """Return any text, on one line, as Markdown that shows it literally."""
    plain = _plain(text)
    if longest is not None and len(plain) > longest:
        plain = f"{plain[:longest]}..."
    return _MARKS.sub(r"\\\1", _REFERENCES.sub(lambda match: f"&#{ord(match[0])};", plain))


def escape_tags(text: str) -> str:
    """Return prose of ours around foreign names so that no tag, link or code begins in it."""
    return _TAGS_AND_LINKS.sub(r"\\\g<0>", _plain(text))


def markdown_code(text: str, *, in_table: bool = False) -> str:
    """Return text as code, in more backticks than it has itself."""
    plain = _plain(text)
    fence = "`" * (max(map(len, re.findall("`+", plain)), default=0) + 1)
    inside = plain.replace("|", "\\|") if in_table else plain
    return f"{fence} {inside} {fence}" if "`" in plain else f"{fence}{inside}{fence}"


def _plain(text: str) -> str:
    return escape_control(" ".join(text.split()), but="")


FORMULAS = "=+-@\t\r\n\uff0b\uff0d\uff1d\uff20"
"""Characters with which a formula of a spreadsheet begins, half and full width."""

_BLANKS = " \xa0\u2000\u2007\u200b\u202f\u3000\ufeff"
"""Blanks that some spreadsheets skip."""

# Where numbers have decimal commas a semicolon ends a cell, and a mark that does not open one
# quotes nothing.
_NEXT_CELL = re.compile(r"([;\t\r\n][\s'\"]*)(?=[=+\-@\uff0b\uff0d\uff1d\uff20][^\s;])")


def escape_formulas(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row of a table with an apostrophe before each text that could be a formula.

    Numbers, also as text (-0.31 as a paper prints it), stay as they are.
    """
    return {
        name: escape_formula(cell) if isinstance(cell, str) else cell for name, cell in row.items()
    }


def escape_formula(text: str) -> str:
    """Return text as a cell that no spreadsheet runs; a sign alone is not a formula."""
    inside = _NEXT_CELL.sub(r"\1'", text)
    plain = text.strip(" ").lstrip(_BLANKS)
    is_formula = len(plain) > 1 and plain[0] in FORMULAS and not _is_number(plain)
    return f"'{inside}" if is_formula else inside


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text.isascii() and "_" not in text
