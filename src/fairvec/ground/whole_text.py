"""Text of whole characters: halves of a surrogate pair are none, and no UTF-8 can hold them."""


def is_whole(text: str) -> bool:
    """Say whether a text can be written as UTF-8."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def whole(text: str) -> str:
    """Return the text with the sign for an unreadable character where there is half of one.

    A file name that is no UTF-8 comes from the system with such halves.
    """
    if is_whole(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
