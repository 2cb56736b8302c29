"""Suggest singular they for he or she, and for a he that stands for anybody.

plural_verb, verb_agreement   the verb after they (goes, go)
generic_obstacle              why a pronoun may not stand for anybody (every student)
his_role, her_role            whether his and her stand before what is owned, or alone
neutral_pronouns              what could be changed in a sentence
"""

import re
from bisect import bisect_left
from functools import cache
from typing import Literal

from fairvec.languages.en.sentences import (
    EnglishSentence,
    EnglishWord,
    function_words,
    listed,
    match_case,
    side_of,
    table,
    terms,
)
from fairvec.languages.rewriting import Edit, Proposal

_IRREGULAR = frozenset({"shoes", "toes", "hoes", "aches"})
_UNCERTAIN_ENDINGS = ("cuses", "iases", "nuses")


def plural_verb(verb: str) -> str | None:
    """Return the form after they of a verb after he: goes, go; must, must; None if unsure."""
    known = table().tables["agreement"]
    if verb in known:
        return known[verb]
    if verb in listed("modals", "past_forms") or (verb.endswith("ed") and len(verb) > 4):
        return verb
    if not _is_third_person(verb) or verb in _IRREGULAR or verb.endswith(_UNCERTAIN_ENDINGS):
        return None
    if verb.endswith("ies") and len(verb) > 4:
        return verb[:-3] + "y"
    if verb.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")):
        return verb[:-2]
    return verb[:-1]


def verb_agreement(sentence: EnglishSentence, first: int, last: int) -> tuple[Edit, ...] | None:
    """Return the edits of the verb whose subject is the words from first to last.

    None where they are not certain: no verb is found beside it, or a second one may follow (he
    reads and writes).
    """
    if has_second_verb(sentence, last):
        return None
    place = last + 1
    while (word := sentence.after(place - 1)) and _is_adverb(word):
        place += 1
    next_word = sentence.after(place - 1)
    verb = next_word.lowercase if next_word and not next_word.possessive else ""
    # A plural such as actresses or ancestors is spelt like a verb.
    noun = verb in terms() or verb in table().tables["plurals"].values()
    plural = None if noun else plural_verb(verb)
    before = sentence.before(first)
    if before and before.lowercase in table().tables["agreement"].keys() | listed("modals"):
        is_question = (
            first == 1
            or sentence.words[first - 1].gap != " "
            or _opens_question(sentence, first - 2)
        )
        changed = plural_verb(before.lowercase)
        if not is_question or changed is None or (next_word and _is_finite(next_word.lowercase)):
            return None
        return _edit(before, changed)
    if next_word is None or plural is None:
        return None
    return _edit(next_word, plural)


def _edit(word: EnglishWord, new: str) -> tuple[Edit, ...]:
    if new == word.lowercase:
        return ()
    return (Edit(word.start, word.end, word.text, match_case(word.text, new)),)


def _opens_question(sentence: EnglishSentence, place: int) -> bool:
    """Whether a question may follow a word."""
    return sentence.words[place].lowercase in listed("asking")


def _is_adverb(word: EnglishWord) -> bool:
    adverb = word.lowercase.endswith("ly") and word.lowercase not in listed("verbs_in_ly")
    return (adverb or word.lowercase in listed("between")) and not word.possessive


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
        if word.lowercase not in table().tables["agreement"] and not _is_third_person(
            word.lowercase
        ):
            continue
        start = place
        while sentence.words[start].gap == " " and _is_adverb(sentence.words[start - 1]):
            start -= 1
        if start <= last + 1:
            continue
        before = sentence.words[start - 1]
        if sentence.words[start].gap != " " or before.lowercase in listed("joining"):
            return True
    return False


_PAST = frozenset({"was", "were", "had", "did", "would", "could", "wasn't", "didn't", "hadn't"})
_ALSO_PRESENT = frozenset({"set", "put", "cut", "read", "hit", "quit", "let", "spread", "split"})
_PLURAL_PRONOUNS = frozenset({"they", "them", "their", "theirs", "themselves"})
_SOME = frozenset({"someone", "somebody"})


def generic_obstacle(sentence: EnglishSentence, pronouns: list[int]) -> str | None:
    """Return nothing if every pronoun stands for anybody, else why that is not certain.

    None if there is no sign of it at all: then the pronoun is some person's, and right as it is.
    """
    found = _antecedents(sentence)
    if not found or _names_a_sex(sentence, found):
        return None
    if min(pronouns) < min(place for place, _ in found):
        return None
    if any(sentence.words[place].quoted for place in pronouns):
        return "It stands within quotation marks: it is what somebody said."
    if len(found) > 1:
        return "More than one person of the sentence could be meant."
    (place, strength) = found[0]
    sides = {_side(sentence.words[position].lowercase) for position in pronouns}
    if len(sides) > 1:
        return "The sentence has pronouns of both sexes."
    if sides == {"b"}:
        # Each guest must kiss her hand: she is seldom anybody, and most often somebody else.
        return "It may mean a woman of another sentence."
    if not _states_a_rule(sentence, strength):
        return "It may mean one person whose sex the writer knows."
    if any(_is_in_same_clause(sentence, place, position) for position in pronouns):
        return "It may mean somebody else than the person before it."
    if _names_others(sentence, place, pronouns):
        return "They could also mean other people of the sentence."
    return ""


def _side(core: str) -> str:
    return side_of(core.partition("'")[0])


def _antecedents(sentence: EnglishSentence) -> list[tuple[int, str]]:
    """Return where persons in the singular may be anybody, and how general each is."""
    found = []
    for place, word in enumerate(sentence.words):
        if word.lowercase in listed("generic_pronouns"):
            found.append((place, "one" if word.lowercase in _SOME else "any"))
        elif _describes_known_person(sentence, place):
            continue
        elif _is_person(word.lowercase) and (determiner := _determiner(sentence, place)):
            if determiner in listed("generic_determiners"):
                found.append((place, "any"))
            else:
                role = word.lowercase in terms() and determiner in ("a", "an")
                kind = role or word.lowercase in listed("kinds")
                found.append((place, "one" if kind else "known"))
    return found if any(strength != "known" for _, strength in found) else []


def _describes_known_person(sentence: EnglishSentence, place: int) -> bool:
    """Whether a noun says what a known person is: as a child he, a golfer, he."""
    back = place
    while sentence.before(back) and sentence.words[back].lowercase not in listed("determiners"):
        back -= 1
    before = sentence.before(back)
    following = sentence.after(place, ", ")
    is_apposition = following is not None and following.lowercase in ("he", "she", "his", "her")
    return is_apposition or (
        before is not None and before.lowercase in ("as", "like", "unlike", "than")
    )


def _is_person(core: str) -> bool:
    term = terms().get(core)
    job = term is not None and term.rule == "job" and bool(term.neutral)
    return core in listed("person_nouns") or (job and core.endswith("man"))


def _determiner(sentence: EnglishSentence, place: int) -> str:
    for back in range(4):
        before = sentence.before(place - back)
        if before is None:
            return ""
        if before.lowercase in listed("determiners"):
            return before.lowercase
        if before.lowercase in listed("prepositions", "conjunctions", "auxiliaries"):
            return ""
    return ""


def _names_a_sex(sentence: EnglishSentence, antecedents: list[tuple[int, str]]) -> bool:
    meant = {place for place, _ in antecedents}
    return any(
        word.lowercase in terms() and place not in meant and not word.in_idiom
        for place, word in enumerate(sentence.words)
    )


def _is_in_same_clause(sentence: EnglishSentence, antecedent: int, place: int) -> bool:
    """Whether him has no clause of its own: in each player beats him he is another one."""
    if sentence.words[place].lowercase != "him":
        return False
    between = sentence.words[antecedent + 1 : place + 1]
    return not any(
        "," in word.gap or word.lowercase in listed("clause_openers") for word in between
    )


def _states_a_rule(sentence: EnglishSentence, strength: str) -> bool:
    """Whether the sentence says what one must or may, or what holds if, and tells no story."""
    cores = {
        word.lowercase
        for place, word in enumerate(sentence.words)
        if place == 0 or sentence.words[place - 1].lowercase not in listed("before_participle")
    }
    if strength == "any" and cores & {"if", "unless", "whenever", "own", "has", "is"}:
        cores |= listed("ruling")
    story = cores & (_PAST | (listed("past_forms") - _ALSO_PRESENT))
    return bool(cores & listed("ruling")) and not story


def _names_others(sentence: EnglishSentence, antecedent: int, pronouns: list[int]) -> bool:
    """Whether other people are named whom they could mean; those that are owned cannot be."""
    owned = {place + step for place in pronouns for step in (1, 2)}
    for place, word in enumerate(sentence.words):
        if place == antecedent or place in owned:
            continue
        if word.lowercase in _PLURAL_PRONOUNS | listed("plural_people", "generic_pronouns"):
            return True
        if word.lowercase in listed("person_nouns") or word.lowercase.removesuffix("s") in listed(
            "person_nouns"
        ):
            return True
    return False


HisRole = Literal["owner", "owned", ""]
HerRole = Literal["owner", "object", ""]

_ALONE_AFTER = frozenset({"of", "is", "was", "than", "be", "are", "were", "became"})


def his_role(sentence: EnglishSentence, place: int) -> HisRole:
    """Return owner for his book, owned for a friend of his, nothing where neither is certain."""
    next_word = sentence.after(place) or sentence.after(place, ' "') or sentence.after(place, " “")
    if next_word and next_word.lowercase not in function_words():
        return "owner"
    if next_word and next_word.lowercase in listed("numbers"):
        return "owner"
    before = sentence.before(place)
    return "owned" if before and before.lowercase in _ALONE_AFTER else ""


def her_role(sentence: EnglishSentence, place: int) -> HerRole:
    """Return owner for her book, object for met her, nothing where neither is certain."""
    next_word = sentence.after(place)
    if next_word is None:
        return "object" if _ends_a_phrase(sentence.gap_after(place)) else ""
    if next_word.lowercase == "own":
        return "owner"
    before = sentence.before(place)
    after_preposition = before is not None and before.lowercase in listed("prepositions") - {"than"}
    if next_word.lowercase in listed("ordering") | listed("numbers"):
        return "owner" if after_preposition else ""
    if next_word.lowercase in listed("also_nouns"):
        return ""
    if next_word.lowercase in function_words():
        return "object"
    if next_word.lowercase in listed("singly_owned"):
        # A noun that is counted needs an owner or an article: left her job, gave her father.
        return "" if before and before.lowercase in listed("naming") else "owner"
    if next_word.lowercase in listed("possessed"):
        known = before is None or before.lowercase not in listed("before_object")
        return "owner" if known else ""
    if not _is_noun_like(next_word):
        return ""
    if after_preposition or before is None:
        return "owner"
    joined = before.lowercase in listed("conjunctions")
    past = before.lowercase.endswith("ed") or before.lowercase in listed("past_forms")
    known_verb = past and before.lowercase not in listed("before_object")
    return "owner" if joined or known_verb else ""


def _ends_a_phrase(gap: str) -> bool:
    return gap.strip()[:1] in tuple(".,;:!?)")


def _is_noun_like(word: EnglishWord) -> bool:
    """Whether a word that no list knows can hardly be a verb or an adverb."""
    if word.lowercase in listed("adverbs", "before_object", "past_forms"):
        return False
    return not word.lowercase.endswith(("ing", "ly", "ed")) and word.lowercase.isalpha()


_THEY = frozenset({"they", "them", "their", "theirs", "themselves", "themself"})
_SHORTENED = {"'d": "they'd", "'ll": "they'll"}
_HAS = frozenset({"been", "got", "had"})
_IS = frozenset({"a", "an", "the", "not", "going", "in", "at", "on"})


def neutral_pronouns(sentence: EnglishSentence) -> list[Proposal]:
    """Return what could be done about the pronouns of a sentence, in one proposal if certain."""
    if sentence.too_long:
        return []
    pairs = paired_pronouns(sentence)
    inside = {place for first, last, _ in pairs for place in range(first, last + 1)}
    singles = single_pronouns(sentence, inside)
    if pairs:
        return _suggest_for_pairs(sentence, pairs, singles)
    if not singles or sentence.names:
        return []
    obstacle = generic_obstacle(sentence, singles)
    if obstacle is None:
        return []
    edits = None if obstacle else _they_edits(sentence, singles)
    if edits is None:
        return _flags(
            sentence, singles, obstacle or "The verb or the case of its they is not certain."
        )
    reason = "It stands for anybody of a kind, whose sex is not known; they is for all."
    return [_joint_proposal(sentence, "generic-pronoun", reason, edits, singles)]


def single_pronouns(sentence: EnglishSentence, inside: set[int]) -> list[int]:
    """Return the places of gendered pronouns that are not within he or she and its like."""
    return [
        place
        for place, word in enumerate(sentence.words)
        if word.lowercase in listed("pronouns") and place not in inside
    ]


def paired_pronouns(sentence: EnglishSentence) -> list[tuple[int, int, str]]:
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


def _suggest_for_pairs(
    sentence: EnglishSentence, pairs: list[tuple[int, int, str]], singles: list[int]
) -> list[Proposal]:
    places = [first for first, _, _ in pairs]
    obstacle = _pair_obstacle(sentence, pairs, singles)
    edits: list[Edit] = []
    for first, last, new in pairs:
        start, end = _span(sentence, first, last)
        old = sentence.text[start - sentence.start : end - sentence.start]
        edits.append(Edit(start, end, old, match_case(old.lstrip("(")[0] + old[1:], new)))
        verb = verb_agreement(sentence, first, last) if new == "they" else ()
        if verb is None:
            obstacle = obstacle or "The verb of its they is not certain."
        edits += verb or ()
    if obstacle:
        spans = [_span(sentence, first, last) for first, last, _ in pairs]
        return [Proposal(start, end, "both-pronouns", obstacle) for start, end in spans]
    reason = "Two pronouns stand for anybody; they is for all."
    return [_joint_proposal(sentence, "both-pronouns", reason, edits, places)]


def _pair_obstacle(
    sentence: EnglishSentence, pairs: list[tuple[int, int, str]], singles: list[int]
) -> str:
    if any(sentence.words[first].quoted for first, _, _ in pairs):
        return "It stands within quotation marks: it is what somebody said."
    if singles:
        return "The sentence has a pronoun of one sex beside it."
    if any(word.lowercase in _THEY for word in sentence.words):
        return "The sentence has a they of its own already."
    for _, last, new in pairs:
        next_word = sentence.after(last)
        if new == "their" and (next_word is None or next_word.lowercase in function_words()):
            return "Nothing that is owned follows."
    return ""


def _span(sentence: EnglishSentence, first: int, last: int) -> tuple[int, int]:
    start, end = sentence.words[first].start, sentence.words[last].end
    opened = sentence.text[start - sentence.start - 1 : start - sentence.start] == "("
    closes = ")" in sentence.text[start - sentence.start : end - sentence.start]
    return (start - 1 if opened and closes else start), end


def _they_edits(sentence: EnglishSentence, places: list[int]) -> list[Edit] | None:
    """Return the edits that make every one of these pronouns they, or None if one is unsure."""
    edits: list[Edit] = []
    for place in places:
        word = sentence.words[place]
        new = _form_of_they(sentence, place)
        if not new:
            return None
        edits.append(Edit(word.start, word.end, word.text, match_case(word.text, new)))
        if word.lowercase in ("he", "she"):
            agreeing = verb_agreement(sentence, place, place)
            if agreeing is None:
                return None
            edits += agreeing
        elif "'" in word.lowercase and has_second_verb(sentence, place):
            return None
    return edits


def _form_of_they(sentence: EnglishSentence, place: int) -> str:
    core = sentence.words[place].lowercase
    if core == "his":
        return {"owner": "their", "owned": "theirs", "": ""}[his_role(sentence, place)]
    if core == "her":
        return {"owner": "their", "object": "them", "": ""}[her_role(sentence, place)]
    if core in ("he's", "she's"):
        next_word = sentence.after(place)
        if next_word and next_word.lowercase in _HAS:
            return "they've"
        certain = next_word and (next_word.lowercase in _IS or next_word.lowercase.endswith("ing"))
        return "they're" if certain else ""
    for ending, new in _SHORTENED.items():
        if core.endswith(ending):
            return new
    return table().tables["they"][core]


def _flags(sentence: EnglishSentence, places: list[int], why: str) -> list[Proposal]:
    found = []
    for place in places:
        word = sentence.words[place]
        found.append(Proposal(word.start, word.end, "pronoun", why, (), side_of(word.lowercase)))
    return found


def _joint_proposal(
    sentence: EnglishSentence, rule: str, why: str, edits: list[Edit], places: list[int]
) -> Proposal:
    sides = {side_of(sentence.words[place].lowercase) for place in places}
    side = sides.pop() if len(sides) == 1 and rule != "both-pronouns" else ""
    ordered = tuple(sorted(set(edits), key=lambda edit: edit.start))
    return Proposal(ordered[0].start, ordered[-1].end, rule, why, ordered, side)
