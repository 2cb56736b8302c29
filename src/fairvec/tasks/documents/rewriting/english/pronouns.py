"""They in the place of he or she, and of a he that stands for anybody."""

import re
from bisect import bisect_left
from functools import cache

from fairvec.tasks.documents.rewriting.english.agreement import has_second_verb, verb_edits
from fairvec.tasks.documents.rewriting.english.antecedents import why_not_generic
from fairvec.tasks.documents.rewriting.english.reading import EnglishSentence
from fairvec.tasks.documents.rewriting.english.roles import her_role, his_role
from fairvec.tasks.documents.rewriting.english.spelling import cased_like
from fairvec.tasks.documents.rewriting.english.table import function_words, listed, side_of, table
from fairvec.tasks.documents.rewriting.proposal import Edit, Proposal

_THEY = frozenset({"they", "them", "their", "theirs", "themselves", "themself"})
_SHORTENED = {"'d": "they'd", "'ll": "they'll"}
_HAS = frozenset({"been", "got", "had"})
_IS = frozenset({"a", "an", "the", "not", "going", "in", "at", "on"})


def neutral_pronouns(sentence: EnglishSentence) -> list[Proposal]:
    """Return what could be done about the pronouns of a sentence, in one proposal if certain."""
    if sentence.endless:
        return []
    doubled = double_places(sentence)
    inside = {place for first, last, _ in doubled for place in range(first, last + 1)}
    alone = single_places(sentence, inside)
    if doubled:
        return _of_both(sentence, doubled, alone)
    if not alone or sentence.names:
        return []
    why = why_not_generic(sentence, alone)
    if why is None:
        return []
    edits = None if why else _edits_of(sentence, alone)
    if edits is None:
        return _flags(sentence, alone, why or "The verb or the case of its they is not certain.")
    said = "It stands for anybody of a kind, whose sex is not known; they is for all."
    return [_together(sentence, "generic-pronoun", said, edits, alone)]


def single_places(sentence: EnglishSentence, inside: set[int]) -> list[int]:
    """Return the places of gendered pronouns that are not within he or she and its like."""
    return [
        place
        for place, word in enumerate(sentence.words)
        if word.core in listed("pronouns") and place not in inside
    ]


def double_places(sentence: EnglishSentence) -> list[tuple[int, int, str]]:
    """Return first and last word of each he or she, his/her, s/he, and what stands for both."""
    found = []
    starts = [word.start - sentence.start for word in sentence.words]
    for match in _doubles().finditer(sentence.text):
        places = range(bisect_left(starts, match.start()), bisect_left(starts, match.end()))
        key = re.sub(r"\s*/\s*", "/", " ".join(match.group().lower().split()))
        found.append((places[0], places[-1], table().tables["both"][key]))
    return found


@cache
def _doubles() -> re.Pattern[str]:
    longest_first = sorted(table().tables["both"], key=len, reverse=True)
    forms = (
        re.escape(key).replace(r"\ ", r"\s+").replace("/", r"\s?/\s?") for key in longest_first
    )
    return re.compile(rf"(?<![\w/'’-])(?:{'|'.join(forms)})(?![\w/'’-])", re.IGNORECASE)


def _of_both(
    sentence: EnglishSentence, doubled: list[tuple[int, int, str]], alone: list[int]
) -> list[Proposal]:
    places = [first for first, _, _ in doubled]
    why = _why_not_both(sentence, doubled, alone)
    edits: list[Edit] = []
    for first, last, new in doubled:
        start, end = _span(sentence, first, last)
        old = sentence.text[start - sentence.start : end - sentence.start]
        edits.append(Edit(start, end, old, cased_like(old.lstrip("(")[0] + old[1:], new)))
        agreeing = verb_edits(sentence, first, last) if new == "they" else ()
        if agreeing is None:
            why = why or "The verb of its they is not certain."
        edits += agreeing or ()
    if why:
        spans = [_span(sentence, first, last) for first, last, _ in doubled]
        return [Proposal(start, end, "both-pronouns", why) for start, end in spans]
    said = "Two pronouns stand for anybody; they is for all."
    return [_together(sentence, "both-pronouns", said, edits, places)]


def _why_not_both(
    sentence: EnglishSentence, doubled: list[tuple[int, int, str]], alone: list[int]
) -> str:
    if any(sentence.words[first].quoted for first, _, _ in doubled):
        return "It stands within quotation marks: it is what somebody said."
    if alone:
        return "The sentence has a pronoun of one sex beside it."
    if any(word.core in _THEY for word in sentence.words):
        return "The sentence has a they of its own already."
    for _, last, new in doubled:
        follows = sentence.after(last)
        if new == "their" and (follows is None or follows.core in function_words()):
            return "Nothing that is owned follows."
    return ""


def _span(sentence: EnglishSentence, first: int, last: int) -> tuple[int, int]:
    start, end = sentence.words[first].start, sentence.words[last].end
    opened = sentence.text[start - sentence.start - 1 : start - sentence.start] == "("
    closes = ")" in sentence.text[start - sentence.start : end - sentence.start]
    return (start - 1 if opened and closes else start), end


def _edits_of(sentence: EnglishSentence, places: list[int]) -> list[Edit] | None:
    """Return the edits that make every one of these pronouns they, or None if one is unsure."""
    edits: list[Edit] = []
    for place in places:
        word = sentence.words[place]
        new = _form_of_they(sentence, place)
        if not new:
            return None
        edits.append(Edit(word.start, word.end, word.text, cased_like(word.text, new)))
        if word.core in ("he", "she"):
            agreeing = verb_edits(sentence, place, place)
            if agreeing is None:
                return None
            edits += agreeing
        elif "'" in word.core and has_second_verb(sentence, place):
            return None
    return edits


def _form_of_they(sentence: EnglishSentence, place: int) -> str:
    core = sentence.words[place].core
    if core == "his":
        return {"owner": "their", "owned": "theirs", "": ""}[his_role(sentence, place)]
    if core == "her":
        return {"owner": "their", "object": "them", "": ""}[her_role(sentence, place)]
    if core in ("he's", "she's"):
        follows = sentence.after(place)
        if follows and follows.core in _HAS:
            return "they've"
        certain = follows and (follows.core in _IS or follows.core.endswith("ing"))
        return "they're" if certain else ""
    for ending, new in _SHORTENED.items():
        if core.endswith(ending):
            return new
    return table().tables["they"][core]


def _flags(sentence: EnglishSentence, places: list[int], why: str) -> list[Proposal]:
    found = []
    for place in places:
        word = sentence.words[place]
        found.append(Proposal(word.start, word.end, "pronoun", why, (), side_of(word.core)))
    return found


def _together(
    sentence: EnglishSentence, rule: str, why: str, edits: list[Edit], places: list[int]
) -> Proposal:
    sides = {side_of(sentence.words[place].core) for place in places}
    side = sides.pop() if len(sides) == 1 and rule != "both-pronouns" else ""
    ordered = tuple(sorted(set(edits), key=lambda edit: edit.start))
    return Proposal(ordered[0].start, ordered[-1].end, rule, why, ordered, side)
