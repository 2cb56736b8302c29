"""Text from outside made safe to show: on one line, escaped, cut short, in Markdown or cells."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date, time
from numbers import Integral, Real
from reprlib import Repr
from typing import Any, TypeVar, cast
from unicodedata import category

from fairvec.core.format import join_first

JOINERS = "\u200c\u200d"
"""Letters of Hindi and of other scripts are joined or kept apart by these, which show nothing."""


def one_line(text: str) -> str:
    """Return the text with each run of spaces, breaks and control characters as one space.

    An escape sequence of a terminal loses what makes it one, and marks that turn the direction
    of what follows are left out; the joiners of letters stay.
    """
    seen = (letter if letter in JOINERS or category(letter)[0] != "C" else " " for letter in text)
    return " ".join("".join(seen).split())


# Text of strangers, made safe to print: what moves a cursor or turns text around is shown.


_UNSEEN = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f"  # controls, and those of a terminal in one byte
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"  # breaks, and what turns text around
    # What takes no room, so that two names look like one; not the joiners.
    "\xad\u034f\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb"
    "\u115f\u1160\u17b4\u17b5\u3164\uffa0"  # letters that show nothing
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\ud800-\udfff"
    "]"
)
# Joiners and choices of a picture change what stands beside them in Hindi, Persian or an emoji. In
# scripts that have no use for them they only make one name look like another.
_BESIDE = "[\xa9\xae\u0590-\U0010ffff]"
_USELESS = re.compile(f"(?<!{_BESIDE})[\u200c\u200d\ufe00-\ufe0f]+(?!{_BESIDE})")


def escape_control(text: str, *, but: str = "\n\t") -> str:
    """Return the text with control characters shown by their numbers, except those in `but`.

    They are the escapes of JSON, so that a line of JSON keeps its meaning. Joiners stay where words
    of Hindi and of other scripts need them.
    """
    seen = _UNSEEN.sub(lambda found: found[0] if found[0] in but else json_escape(found[0]), text)
    return _USELESS.sub(lambda found: json_escape(found[0]), seen)


def json_escape(letters: str) -> str:
    """Return letters as the escapes of JSON for them; one beyond four digits has two halves."""
    halves = letters.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{halves[at : at + 4]}" for at in range(0, len(halves), 4))


# A short text for a value of a stranger, however deep, large or odd the value is.


LONGEST, LONGEST_BITS = 100, 128
LONGEST_TEXT = 60
LONGEST_NAME = 200
_NAME = re.compile(rf"(\S{{{LONGEST_NAME}}})\S{{{LONGEST_NAME},}}")
"""What is twice as long as a name may be, and would hide the sentence it stands in."""
MOST_NAMED = 12
"""How many names of a stranger's list a message repeats."""


class _Short(Repr):
    """Plain values as Python writes them, cut short; of anything else the name of its type."""

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
    """Return a value as Python writes it, on one line and as far as that is short.

    Of a text `most` letters are repeated, in quotation marks; control characters, half characters
    and what turns text around are shown by their numbers. Of an object only its type is named,
    for what it says of itself is a stranger's too.
    """
    if isinstance(value, str):
        return _Short(most).repr_str(str(value), 0)
    said = _Short(most).repr(value)
    return said if len(said) <= LONGEST else f"{said[:LONGEST]}..."


def join_names(names: Sequence[str], most: int = MOST_NAMED) -> str:
    """Return the first names of a stranger's list, each as far as it is short; none if none is.

    They stand without quotation marks: a, b, c and 400 more.
    """
    first = [short_repr(name)[1:-1] for name in names[:most]]
    return join_first([*first, *names[most:]], most) or "none"


def truncate_words(sentence: str) -> str:
    """Return a sentence in which names of hundreds of letters are cut short."""
    return _NAME.sub(r"\1...", sentence)


# Text that a file of UTF-8 can hold: names of files are bytes, and may be no characters at all.


Said = TypeVar("Said")


def escape_surrogates(said: Said) -> Said:
    """Return text with half characters shown by their numbers, as visible text shows them.

    Python reads a byte of a file's name that is no character as half of one, which nothing can
    write; JSON may hold such halves too. Of a list, a tuple or a dict all texts in it are made
    whole; whatever else it is stays as it is.
    """
    return cast(Said, _whole(said))


def _whole(said: Any) -> Any:
    if isinstance(said, str):
        return said if said.isascii() else said.encode("utf-8", "backslashreplace").decode()
    if type(said) in (list, tuple):
        return type(said)(map(_whole, said))
    if type(said) is dict:
        return {_whole(name): _whole(value) for name, value in said.items()}
    return said


def is_valid_utf8(text: str) -> bool:
    """Say whether a text can be written as UTF-8."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def replace_surrogates(text: str) -> str:
    """Return the text with the sign for an unreadable character where there is half of one."""
    if is_valid_utf8(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


# Text of strangers as Markdown that shows it and does nothing else.


_MARKS = re.compile(r"([\\`*_{}\[\]<>|~$])")
# References to people, issues and addresses have no escape of their own.
_REFERENCES = re.compile(r"[&@#]|:(?=\S)|(?<=www)\.", re.IGNORECASE)
_TAGS_AND_LINKS = re.compile(r"<(?=[A-Za-z/!?])|\](?=\s*[(\[:])|[`\\]")


def escaped_markdown(text: str, longest: int | None = None) -> str:
    """Return any text as Markdown that shows it, on one line, and does nothing else."""
    plain = _plain(text)
    if longest is not None and len(plain) > longest:
        plain = f"{plain[:longest]}..."
    return _MARKS.sub(r"\\\1", _REFERENCES.sub(lambda found: f"&#{ord(found[0])};", plain))


def escape_tags(text: str) -> str:
    """Return prose of ours that names of strangers stand in: no tag, link or code begins in it."""
    return _TAGS_AND_LINKS.sub(r"\\\g<0>", _plain(text))


def markdown_code(text: str, *, in_table: bool = False) -> str:
    """Return text as code, in more backticks than it has itself."""
    plain = _plain(text)
    fence = "`" * (max(map(len, re.findall("`+", plain)), default=0) + 1)
    inside = plain.replace("|", "\\|") if in_table else plain
    return f"{fence} {inside} {fence}" if "`" in plain else f"{fence}{inside}{fence}"


def _plain(text: str) -> str:
    return escape_control(" ".join(text.split()), but="")


# Cells of tables for people: text that a spreadsheet would run is told to be text.


FORMULAS = "=+-@\t\r\n\uff0b\uff0d\uff1d\uff20"
"""What a spreadsheet takes for the beginning of a formula, in either width."""

_INVISIBLE = " \xa0\u2000\u2007\u200b\u202f\u3000\ufeff"
"""Blanks that some spreadsheets pass over."""

# Where numbers have decimal commas a semicolon ends a cell, and a mark that does not open one
# quotes nothing.
_NEXT_CELL = re.compile(r"([;\t\r\n][\s'\"]*)(?=[=+\-@\uff0b\uff0d\uff1d\uff20][^\s;])")


def escape_formulas(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row of a table with an apostrophe before each text that could be a formula.

    Numbers are none: a negative one stays a number. Text that is a number (-0.31 as a paper prints
    it) stays as it is too.
    """
    return {
        name: escape_formula(cell) if isinstance(cell, str) else cell for name, cell in row.items()
    }


def escape_formula(text: str) -> str:
    """Return text as a cell that no spreadsheet runs; a sign alone is not a formula."""
    inside = _NEXT_CELL.sub(r"\1'", text)
    plain = text.strip(" ").lstrip(_INVISIBLE)
    runs = len(plain) > 1 and plain[0] in FORMULAS and not _is_number(plain)
    return f"'{inside}" if runs else inside


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text.isascii() and "_" not in text
