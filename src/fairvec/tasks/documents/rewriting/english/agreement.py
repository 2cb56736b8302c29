"""The verbs of he and she after they."""

from fairvec.tasks.documents.rewriting.english.reading import EnglishSentence, EnglishWord
from fairvec.tasks.documents.rewriting.english.spelling import cased_like
from fairvec.tasks.documents.rewriting.english.table import listed, table, terms
from fairvec.tasks.documents.rewriting.proposal import Edit

_IRREGULAR = frozenset({"shoes", "toes", "hoes", "aches"})
_UNSURE = ("cuses", "iases", "nuses")


def plural_of(verb: str) -> str | None:
    """Return the form after they of a verb after he: goes, go; must, must; None if unsure."""
    known = table().tables["agreement"]
    if verb in known:
        return known[verb]
    if verb in listed("modals", "past_forms") or (verb.endswith("ed") and len(verb) > 4):
        return verb
    if not _is_third_person(verb) or verb in _IRREGULAR or verb.endswith(_UNSURE):
        return None
    if verb.endswith("ies") and len(verb) > 4:
        return verb[:-3] + "y"
    if verb.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")):
        return verb[:-2]
    return verb[:-1]


def verb_edits(sentence: EnglishSentence, first: int, last: int) -> tuple[Edit, ...] | None:
    """Return the edits of the verb whose subject is the words from first to last.

    None where they are not certain: no verb is found beside it, or a second one may follow (he
    reads and writes).
    """
    if has_second_verb(sentence, last):
        return None
    place = last + 1
    while (word := sentence.after(place - 1)) and _is_between(word):
        place += 1
    follows = sentence.after(place - 1)
    verb = follows.core if follows and not follows.ending else ""
    # A plural such as actresses or ancestors is spelt like a verb.
    noun = verb in terms() or verb in table().tables["plurals"].values()
    plural = None if noun else plural_of(verb)
    before = sentence.before(first)
    if before and before.core in table().tables["agreement"].keys() | listed("modals"):
        asked = first == 1 or sentence.words[first - 1].gap != " " or _opens(sentence, first - 2)
        changed = plural_of(before.core)
        if not asked or changed is None or (follows and _is_finite(follows.core)):
            return None
        return _edit(before, changed)
    if follows is None or plural is None:
        return None
    return _edit(follows, plural)


def _edit(word: EnglishWord, new: str) -> tuple[Edit, ...]:
    if new == word.core:
        return ()
    return (Edit(word.start, word.end, word.text, cased_like(word.text, new)),)


def _opens(sentence: EnglishSentence, place: int) -> bool:
    """Whether a question may follow a word."""
    return sentence.words[place].core in listed("asking")


def _is_between(word: EnglishWord) -> bool:
    adverb = word.core.endswith("ly") and word.core not in listed("verbs_in_ly")
    return (adverb or word.core in listed("between")) and not word.ending


def _is_finite(word: str) -> bool:
    """Whether a verb can be no participle, so that it is the subject's own."""
    bound = word in table().tables["agreement"] or word in listed("modals")
    return bound or _is_third_person(word)


def _is_third_person(word: str) -> bool:
    ends = word.endswith("s") and not word.endswith(("ss", "us", "'s"))
    return ends and len(word) > 2 and word not in listed("not_third_person") and word.isalpha()


def has_second_verb(sentence: EnglishSentence, last: int) -> bool:
    """Whether another verb of the same subject may follow: he reads and writes."""
    for place in range(last + 2, len(sentence.words)):
        word = sentence.words[place]
        if word.core not in table().tables["agreement"] and not _is_third_person(word.core):
            continue
        start = place
        while sentence.words[start].gap == " " and _is_between(sentence.words[start - 1]):
            start -= 1
        if start <= last + 1:
            continue
        before = sentence.words[start - 1]
        if sentence.words[start].gap != " " or before.core in listed("joining"):
            return True
    return False
