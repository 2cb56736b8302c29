"""The first draft of a suite file, to be filled in by a person."""

from fairvec.lexicon.drafting import entry, in_script_of, quoted
from fairvec.lexicon.suite_lists.loader import parse_suite

_TEMPLATE = """\
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

# One table per list. Its title is read in sentences: "flowers lean more to pleasant words".
# A word may also be a table:
#   {{ word = "сын", variants = ["сынок"], pos = "NOUN", transliteration = "syn", gloss = "son" }}
# variants are other spellings of the same entry; transliteration and gloss help readers who do
# not know the script. Lists of slurs and the like carry two more keys:
#   sensitive = true
#   sensitive_reason = "Why such words are in here."

{sets}
# One table per test: do the targets x lean more to the attributes a, and y to b? Eight words or
# more per list: three against three cannot show anything (p is never below 0.1).
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

_EXAMPLES = {
    "LATIN": {
        "flowers": "rose tulip lily daisy orchid violet iris poppy",
        "insects": "ant wasp flea moth beetle hornet cricket mosquito",
        "pleasant": "love peace joy health friend gift freedom laughter",
        "unpleasant": "hatred war pain death poison grief prison accident",
    },
    "CYRILLIC": {
        "flowers": "роза|roza|rose тюльпан|tyulpan|tulip лилия|liliya|lily ромашка|romashka|daisy "
        "орхидея|orkhideya|orchid фиалка|fialka|violet ирис|iris|iris мак|mak|poppy",
        "insects": "муравей|muravey|ant оса|osa|wasp блоха|blokha|flea моль|mol|moth "
        "жук|zhuk|beetle шершень|shershen|hornet сверчок|sverchok|cricket комар|komar|mosquito",
        "pleasant": "любовь|lyubov|love мир|mir|peace радость|radost|joy здоровье|zdorovye|health "
        "друг|drug|friend подарок|podarok|gift свобода|svoboda|freedom смех|smekh|laughter",
        "unpleasant": "ненависть|nenavist|hatred война|voyna|war боль|bol|pain смерть|smert|death "
        "яд|yad|poison горе|gore|grief тюрьма|tyurma|prison авария|avariya|accident",
    },
    "DEVANAGARI": {
        "flowers": "गुलाब|gulab|rose कमल|kamal|lotus चमेली|chameli|jasmine गेंदा|genda|marigold "
        "सूरजमुखी|surajmukhi|sunflower चंपा|champa|frangipani गुड़हल|gudhal|hibiscus "
        "रजनीगंधा|rajnigandha|tuberose",
        "insects": "चींटी|chinti|ant ततैया|tataiya|wasp पिस्सू|pissu|flea मक्खी|makkhi|fly "
        "मच्छर|machchhar|mosquito तिलचट्टा|tilchatta|cockroach झींगुर|jhingur|cricket "
        "दीमक|dimak|termite",
        "pleasant": "प्रेम|prem|love शांति|shanti|peace आनंद|anand|joy स्वास्थ्य|svasthya|health "
        "मित्र|mitra|friend उपहार|uphar|gift स्वतंत्रता|svatantrata|freedom हँसी|hansi|laughter",
        "unpleasant": "घृणा|ghrina|hatred युद्ध|yuddh|war दर्द|dard|pain मृत्यु|mrityu|death "
        "विष|vish|poison शोक|shok|grief कारागार|karagar|prison दुर्घटना|durghatna|accident",
    },
}


def scaffold(id: str = "my-suite", language: str = "en", title: str = "My word lists") -> str:
    """Return the text of a new suite file, complete and commented, with examples to replace."""
    examples = in_script_of(language, _EXAMPLES)
    text = _TEMPLATE.format(
        id=quoted(id),
        language=quoted(language),
        title=quoted(title),
        sets="\n".join(_table(name, words) for name, words in examples.items()),
    )
    parse_suite(text, "the new suite")  # refuses an id or language that the file could not have
    return text


def _table(name: str, words: str) -> str:
    entries = "".join(f"    {entry(word)},\n" for word in words.split())
    return f'[sets.{name}]\ntitle = {quoted(_TITLES[name])}\npos = "NOUN"\nwords = [\n{entries}]\n'
