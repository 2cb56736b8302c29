"""Text of strangers, made safe to print: what moves a cursor or turns text around is shown."""

import re

_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def visible(text: str, *, but: str = "\n\t") -> str:
    """Return the text with control characters shown by their numbers, except those in `but`.

    They are the escapes of JSON, so that a line of JSON keeps its meaning. Joiners stay: words of
    Hindi need them.
    """
    return _UNSEEN.sub(
        lambda found: found[0] if found[0] in but else f"\\u{ord(found[0]):04x}", text
    )
