"""What the languages of records are called."""

NAMES = {"en": "English", "hi": "Hindi", "ru": "Russian"}


def language_name(code: str) -> str:
    """Return English for en; a code without a name here stays a code."""
    return NAMES.get(code, code or "an unknown language")
