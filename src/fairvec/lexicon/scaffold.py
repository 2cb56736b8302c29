"""First drafts of suite and concept files, with examples in the script of the language."""

import re
from collections.abc import Iterable

from fairvec.core.errors import LexiconError
from fairvec.core.io.toml_files import toml_string
from fairvec.languages.language import DEFAULT_LANGUAGE, known_languages
from fairvec.languages.language import language as language_named
from fairvec.lexicon.concepts import has_shipped_namesake, parse_concepts
from fairvec.lexicon.suite_files import parse_suite


def format_entry(example: str) -> str:
    """Return `word`, or `word|transliteration|gloss`, as an entry of a list."""
    word, *reading = example.split("|")
    if not reading:
        return toml_string(word)
    transliteration, gloss = reading
    return (
        f"{{ word = {toml_string(word)}, transliteration = {toml_string(transliteration)}, "
        f"gloss = {toml_string(gloss)} }}"
    )


def examples_for(code: str, kind: str) -> dict[str, str]:
    """Return the example words of a language, else of the first in its script, else English ones.

    They are there to be replaced; in another script a list of them would be full of findings.
    """
    of_language, english = language_named(code), language_named(DEFAULT_LANGUAGE)
    in_script = [known for known in known_languages() if known.script == of_language.script]
    candidates = (of_language, *([] if english in in_script else in_script), english)
    return next(found.examples[kind] for found in candidates if kind in found.examples)


_SUITE_TEMPLATE = """\
# A suite of word lists. Replace every example, then ask: fairvec suites lint THIS-FILE

id = {id}
# ISO 639 code of the words
language = {language}
# Raise it whenever a list changes
version = "1"
title = {title}
source = "Who chose these words, where and when: a full citation."
licence = "Under which terms the lists may be used."
# doi = "10.1000/182"
# notes = "What a reader should know before using the lists."

# One table per list. Its title is read in sentences: "flowers are associated with pleasant words".
# A word may also be a table:
#   {{ word = "сын", variants = ["сынок"], pos = "NOUN", transliteration = "syn", gloss = "son" }}
# variants are other spellings of the same entry; transliteration and gloss help readers who do
# not know the script. Lists of slurs and the like carry two more keys:
#   sensitive = true
#   sensitive_reason = "Why such words are in here."

{sets}
# One table per test: are the targets x associated with a rather than b more strongly than y are?
# Eight words or more per list: three against three cannot show anything (p is never below 0.1).
# kind: bias (should be zero), meaningful-encoding (should not) or baseline (harmless by nature).

[[tests]]
id = "first-test"
title = "Flowers and insects, pleasant and unpleasant"
category = "baseline"        # gender, race, age, health, caste, religion, occupation, ...
kind = "baseline"
x = "flowers"
y = "insects"
a = "pleasant"
b = "unpleasant"
# In the place of x and y a test may have one list: words = "flowers"
# paired = true               # if word i of a and word i of b are a pair, as he and she: some
#                             # measures need pairs, the others take no notice
# tags = ["translated"]

# What the linter finds and the list must keep, because it is published that way:
# [[waivers]]
# finding = "target-overlap"
# where = "first-test"
# words = ["rose"]
# reason = "The paper prints it in both lists."
"""

_TITLES = {
    "flowers": "flowers",
    "insects": "insects",
    "pleasant": "pleasant words",
    "unpleasant": "unpleasant words",
}


def new_suite(
    id: str = "my-suite", language: str = DEFAULT_LANGUAGE, title: str = "My word lists"
) -> str:
    """Return the text of a new suite file, complete and commented, with examples to replace."""
    examples = examples_for(language, "suite")
    text = _SUITE_TEMPLATE.format(
        id=toml_string(id),
        language=toml_string(language),
        title=toml_string(title),
        sets="\n".join(_table(name, words) for name, words in examples.items()),
    )
    parse_suite(text, "the new suite")  # refuses an id or language that the file could not have
    return text


def _table(name: str, words: str) -> str:
    entries = "".join(f"    {format_entry(word)},\n" for word in words.split())
    return (
        f'[sets.{name}]\ntitle = {toml_string(_TITLES[name])}\npos = "NOUN"\nwords = '
        f"[\n{entries}]\n"
    )


_CONCEPT_TEMPLATE = """\
# A concept: what a debiasing method takes out. Replace every example, then ask:
#   fairvec concepts lint THIS-FILE

# Raise it whenever a list changes
version = "1"
# ISO 639 code of the words
language = {language}

[concepts.{name}]
title = {title}
# The category of the tests that are about it (fairvec suites show): those judge its removal
category = "gender"
source = "Who chose these words, where and when: a full citation."
licence = "Under which terms the lists may be used."
# notes = "What a reader should know before using the lists."
# Lists of slurs and the like carry two more keys:
#   sensitive = true
#   sensitive_reason = "Why such words are in here."
# The variant that is meant when none is named
default = "pairs"
# Pairs or sets that shall differ in nothing else afterwards (hard debiasing)
equalise = [
{equalise}]
# Words that mean the concept and shall stay where they are
specific = [
{specific}]

# One table per variant, chosen by THIS-FILE:one-pair. It holds pairs, sets or words:
#   pairs = [["he", "she"]]                             two words that differ in nothing else
#   sets = [["church", "mosque", "synagogue"]]          the same with more sides
#   words = ["hers", "queen", "mother"]                 one list, of three words or more
# A word may also be a table:
#   {{ word = "сын", variants = ["сынок"], pos = "NOUN", transliteration = "syn", gloss = "son" }}

[concepts.{name}.variants.pairs]
title = "defining pairs"
pairs = [
{pairs}]

[concepts.{name}.variants.one-pair]
pairs = [
{one_pair}]

# Directions that shall stay as they are, such as grammatical gender (lpsg, oscar):
# [concepts.{name}.keep.verbs]
# pairs = [["пошёл", "пошла"], ["сказал", "сказала"]]

# What the linter finds and the list must keep, because it is published that way:
# [[concepts.{name}.waivers]]
# finding = "multi-word"
# where = "specific"
# reason = "The paper prints it so."
"""


def new_concept(
    name: str = "my-concept", language: str = DEFAULT_LANGUAGE, title: str = "My concept"
) -> str:
    """Return the text of a new concept file, complete and commented, with examples to replace."""
    examples = examples_for(language, "concept")
    pairs = examples["pairs"].split()
    text = _CONCEPT_TEMPLATE.format(
        # A name that needs quotes is refused below, by a sentence about the name.
        name=name if name.isascii() and re.fullmatch(r"[\w-]+", name) else toml_string(name),
        language=toml_string(language),
        title=toml_string(title),
        equalise=_indent_entries(map(_format_pair, examples["equalise"].split())),
        specific=_indent_entries(map(format_entry, examples["specific"].split())),
        pairs=_indent_entries(map(_format_pair, pairs)),
        one_pair=_indent_entries(map(_format_pair, pairs[:1])),
    )
    # Refuses a name or language that the file could not have.
    (draft,) = parse_concepts(text, "the new concept")
    if has_shipped_namesake(draft):
        raise LexiconError(f"{draft.id} comes with fairvec; call yours otherwise, as in my-{name}.")
    return text


def _format_pair(example: str) -> str:
    return f"[{', '.join(map(format_entry, example.split('-')))}]"


def _indent_entries(entries: Iterable[str]) -> str:
    return "".join(f"    {entry},\n" for entry in entries)
