"""Hindi spelling: nukta and nasal may be written or not."""

import re

from fairvec.languages.spelling import SpellingRule, replaced

_NUKTA = "\N{DEVANAGARI SIGN NUKTA}"
# NFC keeps these three composed; every other nukta letter is a consonant followed by the sign.
_WITHOUT_NUKTA = {_NUKTA: "", "\u0929": "न", "\u0931": "र", "\u0934": "ळ"}

# A half nasal is an anusvara in disguise only before a stop of its own class, and never where an
# anusvara could not stand (first in the word, or after another half consonant).
_STOPS = {"ङ": "कखगघ", "ञ": "चछजझ", "ण": "टठडढ", "न": "तथदध", "म": "पफबभ"}
_HALF_NASALS = "|".join(f"{nasal}\u094d(?=[{stops}])" for nasal, stops in _STOPS.items())
_NASAL = re.compile(rf"\u0901|(?<=[\u0904-\u094c\u0958-\u0963])(?:{_HALF_NASALS})")
_ANUSVARA = "\u0902"

RULES = (
    SpellingRule("nukta", lambda text: replaced(text, _WITHOUT_NUKTA)),
    SpellingRule("nasal", lambda text: _NASAL.sub(_ANUSVARA, text)),
)
