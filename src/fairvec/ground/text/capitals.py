"""The beginning of a sentence or heading that somebody else's words make."""


def titled(text: str) -> str:
    """Return text with a capital at its beginning, and all else as it is written."""
    return f"{text[:1].upper()}{text[1:]}"
