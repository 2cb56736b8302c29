"""Malayalam spelling: a chillu may be written as its letter, a virama and a joiner."""

from fairvec.languages.spelling import SpellingRule, replaced

_CHILLUS = {"ണ": "ൺ", "ന": "ൻ", "ര": "ർ", "ല": "ൽ", "ള": "ൾ", "ക": "ൿ"}
_LETTERS = {f"{letter}\u0d4d\u200d": chillu for letter, chillu in _CHILLUS.items()}

RULES = (SpellingRule("chillu", lambda text: replaced(text, _LETTERS)),)
