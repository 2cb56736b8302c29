"""The first draft of a concept file, to be filled in by a person."""

import re
from collections.abc import Iterable

from fairvec.ground.errors import LexiconError
from fairvec.lexicon.concept_lists.concept_file import parse_concepts, shipped_namesake
from fairvec.lexicon.drafting import entry, in_script_of, quoted

_TEMPLATE = """\
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

_EXAMPLES = {
    "LATIN": {
        "pairs": "he-she man-woman boy-girl father-mother son-daughter male-female",
        "equalise": "king-queen uncle-aunt brother-sister",
        "specific": "actress husband wife",
    },
    "CYRILLIC": {
        "pairs": "он|on|he-она|ona|she мужчина|muzhchina|man-женщина|zhenshchina|woman "
        "мальчик|malchik|boy-девочка|devochka|girl отец|otets|father-мать|mat|mother "
        "сын|syn|son-дочь|doch|daughter",
        "equalise": "король|korol|king-королева|koroleva|queen дядя|dyadya|uncle-тётя|tyotya|aunt",
        "specific": "актриса|aktrisa|actress муж|muzh|husband жена|zhena|wife",
    },
    "DEVANAGARI": {
        "pairs": "पुरुष|purush|man-महिला|mahila|woman लड़का|ladka|boy-लड़की|ladki|girl "
        "पिता|pita|father-माता|mata|mother बेटा|beta|son-बेटी|beti|daughter "
        "भाई|bhai|brother-बहन|bahan|sister",
        "equalise": "राजा|raja|king-रानी|rani|queen दादा|dada|grandfather-दादी|dadi|grandmother",
        "specific": "अभिनेत्री|abhinetri|actress पति|pati|husband पत्नी|patni|wife",
    },
}


def concept_scaffold(
    name: str = "my-concept", language: str = "en", title: str = "My concept"
) -> str:
    """Return the text of a new concept file, complete and commented, with examples to replace."""
    examples = in_script_of(language, _EXAMPLES)
    pairs = examples["pairs"].split()
    text = _TEMPLATE.format(
        # A name that needs quotes is refused below, by a sentence about the name.
        name=name if name.isascii() and re.fullmatch(r"[\w-]+", name) else quoted(name),
        language=quoted(language),
        title=quoted(title),
        equalise=_lines(map(_pair, examples["equalise"].split())),
        specific=_lines(map(entry, examples["specific"].split())),
        pairs=_lines(map(_pair, pairs)),
        one_pair=_lines(map(_pair, pairs[:1])),
    )
    # Refuses a name or language that the file could not have.
    (draft,) = parse_concepts(text, "the new concept")
    if shipped_namesake(draft):
        raise LexiconError(f"{draft.id} comes with fairvec; call yours otherwise, as in my-{name}.")
    return text


def _pair(example: str) -> str:
    return f"[{', '.join(map(entry, example.split('-')))}]"


def _lines(entries: Iterable[str]) -> str:
    return "".join(f"    {each},\n" for each in entries)
