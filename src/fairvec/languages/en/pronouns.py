"""Suggest singular they for he or she, and for a he that stands for anybody.

plural_verb, verb_agreement   the verb after they (goes, go)
check_generic                 whether a pronoun stands for anybody (every student)
his_role, her_role            whether his and her stand before what is owned, or alone
neutral_pronouns              what could be changed in a sentence
bound_pronouns                pronouns of a person whose noun is made neutral
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Literal

from fairvec.languages.en.sentences import (
    EnglishSentence,
    EnglishWord,
    function_words,
    listed,
    side_of,
    table,
    terms,
)
from fairvec.languages.rewriting import (
    UncertainError,
    edit_word,
    match_case,
    reason_sentence,
    suggest_at,
)
from fairvec.results.documents import Edit, Suggestion


def plural_verb(verb: str) -> str | None:
    """Return the form after they of a verb after he: goes, go; must, must; None if unsure."""
    known = table().tables["agreement"]
    if verb in known:
        return known[verb]
    if verb in listed("modals", "past_forms") or (verb.endswith("ed") and len(verb) > 4):
        return verb
    uncertain_endings = table().lists["uncertain_verb_endings"]
    if not _is_third_person(verb) or verb.endswith(uncertain_endings):
        return None
    if verb in listed("irregular_verbs"):
        return None
    if verb.endswith("ies") and len(verb) > 4:
        return verb[:-3] + "y"
    if verb.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")):
        return verb[:-2]
    return verb[:-1]


def verb_agreement(sentence: EnglishSentence, first: int, last: int) -> tuple[Edit, ...]:
    """Return the edits of the verb whose subject is the words from first to last.

    UncertainError is raised if no verb is found beside it, or a second one may follow (he reads and
    writes).
    """
    if has_second_verb(sentence, last):
        raise UncertainError("verb-of-they")
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
            raise UncertainError("verb-of-they")
        return _edit(before, changed)
    if next_word is None or plural is None:
        raise UncertainError("verb-of-they")
    return _edit(next_word, plural)


def _edit(word: EnglishWord, new: str) -> tuple[Edit, ...]:
    if new == word.lowercase:
        return ()
    return (edit_word(word, match_case(word.text, new)),)


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


def check_generic(sentence: EnglishSentence, pronouns: list[int]) -> bool:
    """Return whether every pronoun stands for anybody; UncertainError if only some sign is there.

    False if there is no sign of it at all: then the pronoun is some person's, and right as it is.
    """
    found = _antecedents(sentence)
    if not found or _names_a_sex(sentence, found):
        return False
    if min(pronouns) < min(place for place, _ in found):
        return False
    if any(sentence.words[place].quoted for place in pronouns):
        raise UncertainError("quoted-words")
    if len(found) > 1:
        raise UncertainError("several-persons")
    (place, strength) = found[0]
    sides = {_side(sentence.words[position].lowercase) for position in pronouns}
    if len(sides) > 1:
        raise UncertainError("pronouns-of-both-sexes")
    if sides == {"b"}:
        # Each guest must kiss her hand: she is seldom anybody, and most often somebody else.
        raise UncertainError("some-woman")
    if not _states_a_rule(sentence, strength):
        raise UncertainError("some-people" if strength == "any" else "known-person")
    if any(_is_in_same_clause(sentence, place, position) for position in pronouns):
        raise UncertainError("somebody-else")
    if _names_others(sentence, place, pronouns):
        raise UncertainError("other-people")
    return True


def _side(core: str) -> str:
    return side_of(core.partition("'")[0])


def _antecedents(sentence: EnglishSentence) -> list[tuple[int, str]]:
    """Return where persons in the singular may be anybody, and how general each is."""
    found = []
    for place, word in enumerate(sentence.words):
        if word.lowercase in listed("generic_pronouns"):
            found.append((place, "one" if word.lowercase in listed("some") else "any"))
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
    story = cores & (listed("past_auxiliaries") | listed("past_forms") - listed("also_present"))
    return bool(cores & listed("ruling")) and not story


def _names_others(sentence: EnglishSentence, antecedent: int, pronouns: list[int]) -> bool:
    """Whether other people are named whom they could mean; those that are owned cannot be."""
    owned = {place + step for place in pronouns for step in (1, 2)}
    for place, word in enumerate(sentence.words):
        if place == antecedent or place in owned:
            continue
        if word.lowercase in listed("they", "plural_people", "generic_pronouns"):
            return True
        if word.lowercase in listed("person_nouns") or word.lowercase.removesuffix("s") in listed(
            "person_nouns"
        ):
            return True
    return False


HisRole = Literal["owner", "owned", ""]
HerRole = Literal["owner", "object", ""]


def his_role(sentence: EnglishSentence, place: int) -> HisRole:
    """Return owner for his book, owned for a friend of his, nothing where neither is certain."""
    next_word = sentence.after(place) or sentence.after(place, ' "') or sentence.after(place, " “")
    if next_word and next_word.lowercase not in function_words():
        return "owner"
    if next_word and next_word.lowercase in listed("numbers"):
        return "owner"
    before = sentence.before(place)
    return "owned" if before and before.lowercase in listed("before_owned") else ""


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


def neutral_pronouns(sentence: EnglishSentence) -> list[Suggestion]:
    """Return what could be done about the pronouns of a sentence, in one suggestion if certain."""
    if sentence.too_long:
        return []
    pairs = paired_pronouns(sentence)
    inside = {place for first, last, _ in pairs for place in range(first, last + 1)}
    singles = single_pronouns(sentence, inside)
    if pairs:
        return _suggest_for_pairs(sentence, pairs, singles)
    if not singles or sentence.names:
        return []
    try:
        if not check_generic(sentence, singles):
            return []
        edits = _they_edits(sentence, singles)
    except UncertainError as uncertain:
        return _flags(sentence, singles, uncertain.sentence("en"))
    reason = reason_sentence("en", "anybody")
    return [_joint_suggestion(sentence, "generic-pronoun", reason, edits, singles)]


def bound_pronouns(sentence: EnglishSentence, found: Sequence[Suggestion]) -> list[Suggestion]:
    """Return a flag for each pronoun that may mean somebody whose noun is made neutral beside it.

    The foreman trains his crew: his would still tell the sex of the foreperson.
    """
    nouns: dict[str, str] = {
        each.side: each.edits[-1].new
        for each in found
        if each.certain and each.rule == "job" and _is_singular(each.edits[-1].old)
    }
    if not nouns:
        return []
    pairs = paired_pronouns(sentence)
    inside = {place for first, last, _ in pairs for place in range(first, last + 1)}
    flags: list[Suggestion] = []
    for place in single_pronouns(sentence, inside):
        word = sentence.words[place]
        others = (each for each in found if each.rule != "job")
        has_suggestion = any(each.start <= word.start < each.end for each in others)
        if (new := nouns.get(_side(word.lowercase), "")) and not has_suggestion:
            reason = reason_sentence("en", "noun-made-neutral", word=new.lower())
            flags += _flags(sentence, [place], reason)
    return flags


def _is_singular(noun: str) -> bool:
    plural = noun.lower().removesuffix("'s").removesuffix("’s").endswith(("men", "s"))
    return not plural or noun.lower().endswith("ss")


def single_pronouns(sentence: EnglishSentence, inside: set[int]) -> list[int]:
    """Return the places of gendered pronouns that are not within he or she and its like."""
    pronouns = listed("pronouns")
    return [
        place
        for place, word in enumerate(sentence.words)
        if word.lowercase in pronouns and place not in inside
    ]


def paired_pronouns(sentence: EnglishSentence) -> list[tuple[int, int, str]]:
    """Return first and last word of each he or she, his/her, s/he, and what stands for both."""
    found = []
    starts: list[int] = []
    for match in _doubles().finditer(sentence.text):
        starts = starts or [word.start - sentence.start for word in sentence.words]
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
) -> list[Suggestion]:
    try:
        _check_pairs(sentence, pairs, singles)
        edits = [*_pair_edits(sentence, pairs)]
    except UncertainError as uncertain:
        why = uncertain.sentence("en")
        spans = [_span(sentence, first, last) for first, last, _ in pairs]
        return [
            Suggestion(start=start, end=end, rule="both-pronouns", reason=why)
            for start, end in spans
        ]
    places = [first for first, _, _ in pairs]
    reason = reason_sentence("en", "both-pronouns")
    return [_joint_suggestion(sentence, "both-pronouns", reason, edits, places)]


def _check_pairs(
    sentence: EnglishSentence, pairs: list[tuple[int, int, str]], singles: list[int]
) -> None:
    if any(sentence.words[first].quoted for first, _, _ in pairs):
        raise UncertainError("quoted-words")
    if singles:
        raise UncertainError("pronoun-of-one-sex")
    if any(word.lowercase in listed("they", "themself") for word in sentence.words):
        raise UncertainError("own-they")
    for _, last, new in pairs:
        next_word = sentence.after(last)
        if new == "their" and (next_word is None or next_word.lowercase in function_words()):
            raise UncertainError("nothing-owned")


def _pair_edits(sentence: EnglishSentence, pairs: list[tuple[int, int, str]]) -> Iterable[Edit]:
    for first, last, new in pairs:
        start, end = _span(sentence, first, last)
        old = sentence.text[start - sentence.start : end - sentence.start]
        cased = match_case(old.lstrip("(")[0] + old[1:], new)
        yield Edit(start=start, end=end, old=old, new=cased)
        if new == "they":
            yield from verb_agreement(sentence, first, last)


def _span(sentence: EnglishSentence, first: int, last: int) -> tuple[int, int]:
    start, end = sentence.words[first].start, sentence.words[last].end
    opened = sentence.text[start - sentence.start - 1 : start - sentence.start] == "("
    closes = ")" in sentence.text[start - sentence.start : end - sentence.start]
    return (start - 1 if opened and closes else start), end


def _they_edits(sentence: EnglishSentence, places: list[int]) -> list[Edit]:
    """Return the edits that make every one of these pronouns they, or raise UncertainError."""
    edits: list[Edit] = []
    for place in places:
        word = sentence.words[place]
        new = _form_of_they(sentence, place)
        if not new:
            raise UncertainError("case-of-they")
        edits.append(edit_word(word, match_case(word.text, new)))
        if word.lowercase in ("he", "she"):
            edits += verb_agreement(sentence, place, place)
        elif "'" in word.lowercase and has_second_verb(sentence, place):
            raise UncertainError("verb-of-they")
    return edits


def _form_of_they(sentence: EnglishSentence, place: int) -> str:
    core = sentence.words[place].lowercase
    if core == "his":
        return {"owner": "their", "owned": "theirs", "": ""}[his_role(sentence, place)]
    if core == "her":
        return {"owner": "their", "object": "them", "": ""}[her_role(sentence, place)]
    if core in ("he's", "she's"):
        next_word = sentence.after(place)
        following = next_word.lowercase if next_word else ""
        if following in listed("after_has"):
            return "they've"
        return "they're" if following in listed("after_is") or following.endswith("ing") else ""
    _, apostrophe, ending = core.partition("'")
    if apostrophe:
        return f"they'{ending}"
    return table().tables["they"][core]


def _flags(sentence: EnglishSentence, places: list[int], why: str) -> list[Suggestion]:
    words = [sentence.words[place] for place in places]
    return [suggest_at(word, word, "pronoun", why, side_of(word.lowercase)) for word in words]


def _joint_suggestion(
    sentence: EnglishSentence, rule: str, why: str, edits: list[Edit], places: list[int]
) -> Suggestion:
    sides = {side_of(sentence.words[place].lowercase) for place in places}
    side = sides.pop() if len(sides) == 1 and rule != "both-pronouns" else ""
    ordered = tuple(sorted(set(edits), key=lambda edit: edit.start))
    return suggest_at(ordered[0], ordered[-1], rule, why, side, edits=ordered)
