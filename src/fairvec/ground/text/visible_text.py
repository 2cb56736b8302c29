"""Text of strangers, made safe to print: what moves a cursor or turns text around is shown."""

import re

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


def visible(text: str, *, but: str = "\n\t") -> str:
    """Return the text with control characters shown by their numbers, except those in `but`.

    They are the escapes of JSON, so that a line of JSON keeps its meaning. Joiners stay where words
    of Hindi and of other scripts need them.
    """
    seen = _UNSEEN.sub(lambda found: found[0] if found[0] in but else escaped(found[0]), text)
    return _USELESS.sub(lambda found: escaped(found[0]), seen)


def escaped(letters: str) -> str:
    """Return letters as the escapes of JSON for them; one beyond four digits has two halves."""
    halves = letters.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{halves[at : at + 4]}" for at in range(0, len(halves), 4))
