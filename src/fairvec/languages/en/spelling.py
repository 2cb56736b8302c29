"""English spelling: a and an."""

import re

# By sound: an honour and an heir, but a European, a ewe, a union, a user, a ukulele and a one-off.
# In unidentified, unimportant and uninteresting un- stands before an i, but not in unimodal and
# uninuclear; in onerous one- is no number.
_CONSONANT = (
    r"e(?:u|we)|o(?:nce\b|ne(?!rou|iri)|ui)|"
    r"u(?:\b|bi|fo\b|ga|k|nanim|nesco|ni|r[aeio]|s[aeu]|t[aeio]|vu|zi)"
)
_TAKES_AN = re.compile(
    rf"uni(?:de|ll|m[^o]|n[^ou]|rr|ss)|(?!{_CONSONANT})[aeiou]|honou?r|honest|heir|hour(?!i)|x-|ytt",
    re.IGNORECASE,
)


def article(word: str) -> str:
    """Return a or an, by the sound with which an English word begins."""
    return "an" if _TAKES_AN.match(word) else "a"
