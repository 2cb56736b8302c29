"""A small suite to change one thing in."""

import json

HEAD = """\
id = "mine"
version = "1"
language = "en"
title = "Mine"
source = "Nobody (2020)."
licence = "Free."
"""

SETS = """
[sets.flowers]
title = "flowers"
pos = "NOUN"
words = ["aster", { word = "lovely", pos = "ADJ" }]
[sets.insects]
title = "insects"
words = ["ant", "flea"]
[sets.pleasant]
title = "pleasant words"
words = ["joy", "peace"]
[sets.unpleasant]
title = "unpleasant words"
words = ["war", "pain"]
"""

TEST = """
[[tests]]
id = "one"
title = "Flowers and insects"
category = "baseline"
kind = "baseline"
x = "flowers"
y = "insects"
a = "pleasant"
b = "unpleasant"
"""

SUITE = HEAD + SETS + TEST

PAIRED_SETS = """
[sets.jobs]
title = "jobs"
words = ["nurse", "judge"]
[sets.male]
title = "male words"
words = ["he", "king", "man"]
[sets.female]
title = "female words"
words = ["she", "queen", "woman"]
"""

PAIRED_TEST = """
[[tests]]
id = "one"
title = "Jobs"
category = "gender"
kind = "bias"
a = "male"
b = "female"
paired = true
"""

WORDS_TEST = HEAD + PAIRED_SETS + PAIRED_TEST + 'words = "jobs"\n'

PAIRS = HEAD + PAIRED_SETS + PAIRED_TEST


def changed(old: str, new: str) -> str:
    """The small suite with one piece of its text replaced."""
    if old not in SUITE:
        raise ValueError(f"{old!r} is not in the suite")
    return SUITE.replace(old, new, 1)


def suite_text(language: str = "en", /, **sets: list[str]) -> str:
    """A suite with one test `t` whose roles x, y, a, b hold these words."""
    text = HEAD.replace('"en"', f'"{language}"')
    for name, words in sets.items():
        listed = json.dumps(words, ensure_ascii=False)
        text += f'[sets.{name}]\ntitle = "list {name}"\nwords = {listed}\n'
    roles = "".join(f'{role} = "{role}"\n' for role in "xyab")
    return f'{text}[[tests]]\nid = "t"\ntitle = "T"\ncategory = "c"\nkind = "bias"\n{roles}'


CONCEPT_TEXT = """
version = "1"
language = "en"
[concepts.gender]
title = "Gender"
source = "Somebody (2026)"
licence = "None needed."
default = "pairs"
equalise = [["uncle", "aunt"]]
specific = ["beard"]
[concepts.gender.variants.pairs]
pos = "NOUN"
pairs = [["man", "woman"], [{ word = "he", pos = "PRON" }, { word = "she", variants = ["She"] }]]
[concepts.gender.variants.list]
words = ["man", "woman"]
[concepts.gender.keep.verbs]
pairs = [["goes", "went"]]
"""
