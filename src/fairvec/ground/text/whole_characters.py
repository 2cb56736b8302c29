"""Text that a file of UTF-8 can hold: names of files are bytes, and may be no characters at all."""

from typing import Any, TypeVar, cast

Said = TypeVar("Said")


def whole(said: Said) -> Said:
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


def is_whole(text: str) -> bool:
    """Say whether a text can be written as UTF-8."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def with_signs(text: str) -> str:
    """Return the text with the sign for an unreadable character where there is half of one."""
    if is_whole(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
