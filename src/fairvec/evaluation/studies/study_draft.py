"""The first draft of a study's plan, to be filled in by a person."""

from fairvec.evaluation.studies.study_plan import parse_study
from fairvec.lexicon.drafting import quoted

_TEMPLATE = """\
# The plan of a study: every corpus is learnt from with every model, window, dimension and seed,
# each model is audited, and the answer says which of them explains how much of the bias.
# Fill it in, then: fairvec study THIS-FILE -o FOLDER

title = "Where the bias comes from"
# ISO 639 code of the corpora and of the word lists
language = {language}
# plain (lower case), cased; in Russian also lemmas or tagged-lemmas
words = "plain"
# At most so many words of each corpus, taken evenly from its lines: corpora of unequal length
# differ by their length too, so name a number that all of them have.
tokens = 1_000_000
# Rarer words are left out, and of the others at most max_words are kept, if it is named
min_count = 5
# max_words = 50_000

# The grid. Seeds are repetitions: two at the least, three or more for a useful interval.
windows = [3, 10]
dims = [100]
seeds = [1, 2, 3]

# Suites ('fairvec suites list', or files of your own) and metrics. All models are asked with the
# words that every corpus has.
suites = [{suite}]
metrics = ["weat"]
# similarity = "cosine"
# convention = "caliskan"

# Files, folders or patterns, in the folder of this plan or in FAIRVEC_DATA; .gz, .xz, .bz2 and .zst
# are unpacked. One sentence or document a line.
[corpora]
first = ["first/*.txt"]
second = ["second.txt.xz"]

# Where corpora have dates: a time for each of them (a year, or 1, 2, 3 for their order), and the
# answer also says whether effects go up or down with it. Three corpora or more; five can be sure.
# [when]
# first = 1950
# second = 1980

# One table for each model: glove, poincare-glove, skipgram, cbow or fasttext. Settings may follow,
# and another name with a kind, as in
#   [models.longer]
#   kind = "glove"
#   epochs = 50
[models.glove]
epochs = 25

[models.skipgram]
epochs = 5
"""

_SUITES = {"en": "caliskan2017", "hi": "malik2022", "ru": "pestova"}


def study_scaffold(language: str = "en") -> str:
    """Return the text of a new plan, complete and commented, with examples to replace."""
    suite = _SUITES.get(language, "my-suite.toml")
    text = _TEMPLATE.format(language=quoted(language), suite=quoted(suite))
    parse_study(text, "the new study")
    return text
