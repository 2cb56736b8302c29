"""Bytes to text: by the mark at the start, by what the user says, else UTF-8."""

import codecs
from dataclasses import dataclass

from fairvec.ground.errors import FileFormatError, SettingError
from fairvec.ground.text.shown_values import shown


@dataclass(frozen=True)
class Coding:
    """An encoding by name, and the mark that stood before the text."""

    name: str
    mark: bytes = b""


# The marks of UTF-32 begin like those of UTF-16, so they are tried first.
_MARKED = (
    Coding("utf-8", codecs.BOM_UTF8),
    Coding("utf-32-le", codecs.BOM_UTF32_LE),
    Coding("utf-32-be", codecs.BOM_UTF32_BE),
    Coding("utf-16-le", codecs.BOM_UTF16_LE),
    Coding("utf-16-be", codecs.BOM_UTF16_BE),
)


def is_binary(content: bytes) -> bool:
    """Say whether bytes are no text: a zero among them, and no mark that explains it."""
    return b"\0" in content and not any(content.startswith(each.mark) for each in _MARKED)


def decoded(content: bytes, where: str, encoding: str | None = None) -> tuple[str, Coding]:
    """Return the text and its encoding; a mark at the start decides, then what the user said."""
    said = Coding(encoding or "utf-8")
    coding = next((each for each in _MARKED if content.startswith(each.mark)), said)
    body = content[len(coding.mark) :]
    try:
        text = body.decode(coding.name)
        text.encode()
    except LookupError:
        raise SettingError(
            f"There is no encoding named {shown(encoding)}; name one that Python knows, such as "
            "cp1251, koi8-r or latin-1."
        ) from None
    except UnicodeError as error:
        start = getattr(error, "start", 0)
        raise _broken(where, body.count(b"\n", 0, start) + 1, coding, encoding) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise FileFormatError(
            f"{where}, line {line}: this is not text but holds zeros; save it as text in UTF-8."
        )
    return text, coding


def _broken(where: str, line: int, coding: Coding, said: str | None) -> FileFormatError:
    called = coding.name.upper() if coding.name.startswith("utf") else coding.name
    remedy = (
        "save it as UTF-8, or name its encoding, as in --encoding cp1251"
        if said is None
        else "name another --encoding, or save it as UTF-8"
    )
    return FileFormatError(f"{where}, line {line}: this is not {called}; {remedy}.")
