"""Names and sentences as a page shows them; records keep them as they are."""

import re

NO_BREAK = "\N{NO-BREAK SPACE}"

_NUMBER = r"[+\-−]?\d[\d.,]*(?:e-?\d+)?"
_JOINED = re.compile(
    rf"(?<!\w)(?:d|p|tau|difference|corrected)(?: =)? {_NUMBER}"
    rf"|\d %(?: {_NUMBER}(?: to {_NUMBER})?)?"
)


def unbroken(sentence: str) -> str:
    """Return a sentence whose figures stay on the line of their names: d +1.11, 95 % 0.5 to 1.7."""
    return _JOINED.sub(lambda found: found[0].replace(" ", NO_BREAK), sentence)
