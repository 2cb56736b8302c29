"""Suggest neutral English nouns: chairman to chairperson, sons and daughters to children."""

from collections.abc import Iterator

from fairvec.languages.en.sentences import (
    EnglishSentence,
    article_edits,
    cased_like,
    counterpart,
    function_words,
    in_place_of,
    listed,
    side_of,
    table,
    terms,
)
from fairvec.languages.rewriting import Edit, GenderedTerm, Proposal

_OWNERS = frozenset({"my", "your", "his", "her", "its", "our", "their"})
_ONE = _OWNERS | {"a", "an", "the", "any", "each", "every", "no", "this", "that"}
_WHY_PAIRED = "The two words name both sexes; {new} is the one word for them."


def paired(sentence: EnglishSentence) -> Iterator[tuple[set[int], Proposal]]:
    """Yield each pair of words that has a common word, with the positions it covers.

    Certain are plurals (sons and daughters), one of two (a husband or wife), and somebody's two
    (his father and mother); only where the noun phrase ends after them.
    """
    if any(word.core in ("latter", "former", "respectively") for word in sentence.words):
        return
    for place in range(len(sentence.words) - 2):
        first, joint, second = sentence.words[place : place + 3]
        if first.core not in terms() or second.core != counterpart(first.core):
            continue
        if joint.core not in ("and", "or") or joint.gap != " " or second.gap != " ":
            continue
        if first.quoted or first.fixed or second.capital or first.ending or second.ending:
            continue
        new = _word_for_both(sentence, place, first.core, joint.core)
        if not new:
            continue
        old = sentence.text[first.start - sentence.start : second.end - sentence.start]
        edit = Edit(first.start, second.end, old, cased_like(first.text, new))
        edits = (*article_edits(sentence, place, new), edit)
        said = _WHY_PAIRED.format(new=new)
        yield (
            {place, place + 1, place + 2},
            Proposal(first.start, second.end, "pair", said, edits),
        )


def _word_for_both(sentence: EnglishSentence, place: int, core: str, joint: str) -> str:
    term = terms()[core]
    if not term.neutral or term.rule not in ("job", "kinship") or not _ends(sentence, place + 2):
        return ""
    plurals = table().tables["plurals"]
    if term.neutral in plurals.values():
        return term.neutral
    plural = plurals.get(term.neutral, "")
    before = sentence.before(place)
    if joint == "or":
        return term.neutral if before and before.core in _ONE else ""
    return plural if before and before.core in _OWNERS and term.rule == "kinship" else ""


def _ends(sentence: EnglishSentence, place: int) -> bool:
    """Whether the noun phrase ends with the word at a place."""
    gap = sentence.ends_with(place)
    after = sentence.after(place)
    if after is None:
        return gap[:1] not in ("'", "’", "-")
    verb = after.core.endswith("ed") or after.core in listed("past_forms")
    return after.core in function_words() or verb


_SEXES = frozenset({"woman", "women", "man", "men", "girls", "ladies", "maidens"})
_ALSO_ADJECTIVES = frozenset({"noble", "relative"})
_WHY = {
    "job": "Everybody can do it; the word for all is {new}.",
    "collective": "It means all people; the word for that is {new}.",
}
_WHY_FLAGGED = {
    "job": "Only its sense here tells which word for all would do.",
    "kinship": "It says a sex; for all it is {new}, if the text does not need the sex.",
    "person": "It says a sex; change it if the text does not need that.",
    "title": "It says a sex; only the person knows the right title.",
}
_QUOTED = "It stands within quotation marks: it is what somebody said, or what a work is called."
_NAME = "It may be a part of a name or of an official title."


def neutral_nouns(sentence: EnglishSentence) -> Iterator[Proposal]:
    """Yield a change or a flag for each gendered noun of a sentence."""
    done: set[int] = set()
    for places, proposal in () if sentence.endless else paired(sentence):
        done |= places
        yield proposal
    for place, count, core, term in gendered_nouns(sentence):
        if place not in done and not sentence.words[place].fixed and term.neutral != core:
            proposal_here = _of_one(sentence, place, count, core, term)
            if proposal_here:
                yield proposal_here


def gendered_nouns(sentence: EnglishSentence) -> Iterator[tuple[int, int, str, GenderedTerm]]:
    """Yield the position, the number of words, the spelling and the entry of each gendered noun.

    A steward is one only beside a stewardess: alone it is said of all.
    """
    skip = -1
    of_all = listed("of_all_alone")
    marked = {counterpart(core) for core in of_all}
    beside = any(word.core in marked for word in sentence.words)
    for place, word in enumerate(sentence.words):
        if place <= skip or (word.core in of_all and not beside):
            continue
        following = sentence.after(place)
        phrase = f"{word.core} {following.core}" if following and not word.ending else ""
        if phrase in terms():
            skip = place + 1
            yield place, 2, phrase, terms()[phrase]
        elif word.core in terms():
            yield place, 1, word.core, terms()[word.core]
        elif "-" in word.core and (last := word.core.rpartition("-")[2]) in terms():
            yield place, 1, last, terms()[last]


def _of_one(
    sentence: EnglishSentence, place: int, count: int, core: str, term: GenderedTerm
) -> Proposal | None:
    first, last = sentence.words[place], sentence.words[place + count - 1]
    side = side_of(core)

    def flag(rule: str, why: str) -> Proposal:
        return Proposal(first.start, last.end, rule, why, (), side)

    if first.quoted:
        return flag("in-quotes", _QUOTED)
    beside = _beside_capitals(sentence, place, count)
    if term.rule not in _WHY:
        said = _WHY_FLAGGED[term.rule] if term.neutral else _WHY_FLAGGED["person"]
        named = beside and term.rule != "title"
        return None if named else flag(term.rule, said.format(new=term.neutral))
    if not term.neutral:
        return flag(term.rule, _WHY_FLAGGED["job"])
    if sentence.endless:
        return flag(term.rule, "So many words without a stop are hardly a sentence.")
    if beside or _is_odd_capital(sentence, place, count):
        return flag("in-name", _NAME)
    why = _why_not(sentence, place, count, core, term)
    if why:
        return flag(term.rule, why)
    compound = count == 1 and first.core != core
    articles = () if compound else article_edits(sentence, place, term.neutral)
    edits = (*articles, *_edits(sentence, place, count, core))
    said = _WHY[term.rule].format(new=term.neutral)
    return Proposal(first.start, last.end, term.rule, said, edits, side)


def _edits(sentence: EnglishSentence, place: int, count: int, core: str) -> tuple[Edit, ...]:
    new = terms()[core].neutral
    word = sentence.words[place]
    if count == 1:
        return (in_place_of(word, new, core if word.core != core else ""),)
    last = in_place_of(sentence.words[place + 1], new)
    old = sentence.text[word.start - sentence.start : last.end - sentence.start]
    cased = in_place_of(word, new).new
    return (Edit(word.start, last.end, old, cased + last.new[len(new) :]),)


def _beside_capitals(sentence: EnglishSentence, place: int, count: int) -> bool:
    word = sentence.words[place]
    if not word.capital or sentence.text.isupper():
        return False
    before, after = sentence.before(place), sentence.after(place + count - 1)
    before_is = before is not None and before.capital and place > 1
    after_is = after is not None and after.capital
    dotted = sentence.after(place + count - 1, ". ")
    of_what = _of_what_capital(sentence, place + count)
    return before_is or after_is or of_what or (dotted is not None and word.core in ("mr", "ms"))


def _of_what_capital(sentence: EnglishSentence, place: int) -> bool:
    for words in (("of",), ("for",), ("of", "the"), ("for", "the")):
        if sentence.says(place, *words):
            following = sentence.after(place + len(words) - 1)
            if following and following.capital and sentence.words[place].gap == " ":
                return True
    return False


def _is_odd_capital(sentence: EnglishSentence, place: int, count: int) -> bool:
    """Whether a capital is neither that of a role (the Chairman said) nor of a first word.

    A first word in the singular has no article: it is a name (Foreman won the fight).
    """
    word = sentence.words[place]
    if not word.capital or sentence.text.isupper():
        return False
    if place == 0:
        return terms()[word.core].neutral in table().tables["plurals"] if count == 1 else False
    if word.core not in listed("offices"):
        return True
    before, after = sentence.before(place), sentence.after(place + count - 1)
    role = before is not None and before.core in listed("determiners")
    joined = after is not None and after.core in ("and", "or")
    ended = after is None or bool(word.ending) or (after.core in function_words() and not joined)
    verb = after is not None and (after.core.endswith("ed") or after.core in listed("past_forms"))
    return not (role and (ended or verb))


def _family(term: GenderedTerm) -> str:
    """Return the neutral word in the plural, which the singular and the plural share."""
    return table().tables["plurals"].get(term.neutral, term.neutral)


def _why_not(
    sentence: EnglishSentence, place: int, count: int, core: str, term: GenderedTerm
) -> str:
    """Return why the word for all would be wrong at this place, or nothing."""
    last = place + count - 1
    word, after = sentence.words[last], sentence.after(last)
    part_before = word.core.removesuffix(core).rstrip("-") if count == 1 else ""
    if part_before and part_before not in listed("may_precede"):
        return "It is a part of a compound whose sense no list knows."
    if any(w.core in ("only", "sole") for w in sentence.words[max(0, place - 3) : place]):
        return "The sentence may mean that nobody of the other sex was there."
    if after and after.core in ("and", "or"):
        other = sentence.after(last + 1)
        if other and other.core in _SEXES:
            return f"It shares its first part with {other.text}."
    if after and after.capital and (" of " in term.neutral or term.neutral in _ALSO_ADJECTIVES):
        return f"Before a name {term.neutral} does not do."
    if core.endswith("manned") and (after is None or after.core not in listed("crewed")):
        return "Crewed is said of what flies; elsewhere it is staffed, guarded or served."
    if core.startswith("firem") and any(w.core in listed("locomotive") for w in sentence.words):
        return "On an engine it is the one who feeds the fire."
    others = [other for at, _, other, entry in gendered_nouns(sentence) if at != place]
    same = [other for other in others if _family(terms()[other]) == _family(term)]
    if any(side_of(other) != side_of(core) for other in same):
        return "The word of the other sex stands beside it; both would become one."
    if sentence.ends_with(last)[:1] in ("'", "’") and not term.neutral.endswith("s"):
        return "Its possessive would have another ending."
    return ""
