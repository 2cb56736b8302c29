"""Russian spelling: yo may be written as ye."""

from fairvec.languages.spelling import SpellingRule, replaced

_WITHOUT_YO = {"ё": "е", "Ё": "Е"}

RULES = (SpellingRule("yo", lambda text: replaced(text, _WITHOUT_YO)),)
