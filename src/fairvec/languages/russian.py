"""Russian: yo may be written as ye."""

from fairvec.languages.rule import Rule, replaced

_WITHOUT_YO = {"ё": "е", "Ё": "Е"}

RULES = (Rule("yo", lambda text: replaced(text, _WITHOUT_YO)),)
