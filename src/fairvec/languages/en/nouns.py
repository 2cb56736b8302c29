"""Suggest neutral English nouns: chairman to chairperson, sons and daughters to children."""

from collections.abc import Iterator

from fairvec.languages.en.sentences import (
    EnglishSentence,
    counterpart,
    fix_article,
    function_words,
    listed,
    match_case,
    replace_word,
    side_of,
    table,
    terms,
)
from fairvec.languages.rewriting import Edit, GenderedTerm, Proposal

_POSSESSIVES = frozenset({"my", "your", "his", "her", "its", "our", "their"})
_SINGULAR_DETERMINERS = _POSSESSIVES | {
    "a",
    "an",
    "the",
    "any",
    "each",
    "every",
    "no",
    "this",
    "that",
}
_PAIR_REASON = "The two words name both sexes; {new} is the one word for them."


def suggest_pairs(sentence: EnglishSentence) -> Iterator[tuple[set[int], Proposal]]:
    """Yield each pair of words that has a common word, with the positions it covers.

    Certain are plurals (sons and daughters), one of two (a husband or wife), and somebody's two
    (his father and mother); only where the noun phrase ends after them.
    """
    if any(word.lowercase in ("latter", "former", "respectively") for word in sentence.words):
        return
    for place in range(len(sentence.words) - 2):
        first, conjunction, second = sentence.words[place : place + 3]
        if first.lowercase not in terms() or second.lowercase != counterpart(first.lowercase):
            continue
        if (
            conjunction.lowercase not in ("and", "or")
            or conjunction.gap != " "
            or second.gap != " "
        ):
            continue
        if (
            first.quoted
            or first.in_idiom
            or second.capital
            or first.possessive
            or second.possessive
        ):
            continue
        new = _word_for_both(sentence, place, first.lowercase, conjunction.lowercase)
        if not new:
            continue
        old = sentence.text[first.start - sentence.start : second.end - sentence.start]
        edit = Edit(first.start, second.end, old, match_case(first.text, new))
        edits = (*fix_article(sentence, place, new), edit)
        reason = _PAIR_REASON.format(new=new)
        yield (
            {place, place + 1, place + 2},
            Proposal(first.start, second.end, "pair", reason, edits),
        )


def _word_for_both(sentence: EnglishSentence, place: int, core: str, joint: str) -> str:
    term = terms()[core]
    if (
        not term.neutral
        or term.rule not in ("job", "kinship")
        or not _ends_phrase(sentence, place + 2)
    ):
        return ""
    plurals = table().tables["plurals"]
    if term.neutral in plurals.values():
        return term.neutral
    plural = plurals.get(term.neutral, "")
    before = sentence.before(place)
    if joint == "or":
        return term.neutral if before and before.lowercase in _SINGULAR_DETERMINERS else ""
    return plural if before and before.lowercase in _POSSESSIVES and term.rule == "kinship" else ""


def _ends_phrase(sentence: EnglishSentence, place: int) -> bool:
    """Whether the noun phrase ends with the word at a place."""
    gap = sentence.gap_after(place)
    after = sentence.after(place)
    if after is None:
        return gap[:1] not in ("'", "’", "-")
    verb = after.lowercase.endswith("ed") or after.lowercase in listed("past_forms")
    return after.lowercase in function_words() or verb


_SEXES = frozenset({"woman", "women", "man", "men", "girls", "ladies", "maidens"})
_ALSO_ADJECTIVES = frozenset({"noble", "relative"})
_REASONS = {
    "job": "Everybody can do it; the word for all is {new}.",
    "collective": "It means all people; the word for that is {new}.",
}
_FLAG_REASONS = {
    "job": "Only its sense here tells which word for all would do.",
    "kinship": "It says a sex; for all it is {new}, if the text does not need the sex.",
    "person": "It says a sex; change it if the text does not need that.",
    "title": "It says a sex; only the person knows the right title.",
}
_QUOTED_REASON = (
    "It stands within quotation marks: it is what somebody said, or what a work is called."
)
_NAME_REASON = "It may be a part of a name or of an official title."


def neutral_nouns(sentence: EnglishSentence) -> Iterator[Proposal]:
    """Yield a change or a flag for each gendered noun of a sentence."""
    done: set[int] = set()
    for places, proposal in () if sentence.too_long else suggest_pairs(sentence):
        done |= places
        yield proposal
    for place, count, core, term in find_nouns(sentence):
        if place not in done and not sentence.words[place].in_idiom and term.neutral != core:
            found = _suggest_for_noun(sentence, place, count, core, term)
            if found:
                yield found


def find_nouns(sentence: EnglishSentence) -> Iterator[tuple[int, int, str, GenderedTerm]]:
    """Yield the position, the number of words, the spelling and the entry of each gendered noun.

    A steward is one only beside a stewardess: alone it is said of all.
    """
    skip = -1
    generic_alone = listed("of_all_alone")
    marked = {counterpart(core) for core in generic_alone}
    has_counterpart = any(word.lowercase in marked for word in sentence.words)
    for place, word in enumerate(sentence.words):
        if place <= skip or (word.lowercase in generic_alone and not has_counterpart):
            continue
        following = sentence.after(place)
        phrase = (
            f"{word.lowercase} {following.lowercase}" if following and not word.possessive else ""
        )
        if phrase in terms():
            skip = place + 1
            yield place, 2, phrase, terms()[phrase]
        elif word.lowercase in terms():
            yield place, 1, word.lowercase, terms()[word.lowercase]
        elif "-" in word.lowercase and (last := word.lowercase.rpartition("-")[2]) in terms():
            yield place, 1, last, terms()[last]


def _suggest_for_noun(
    sentence: EnglishSentence, place: int, count: int, core: str, term: GenderedTerm
) -> Proposal | None:
    first, last = sentence.words[place], sentence.words[place + count - 1]
    side = side_of(core)

    def flag(rule: str, reason: str) -> Proposal:
        return Proposal(first.start, last.end, rule, reason, (), side)

    if first.quoted:
        return flag("in-quotes", _QUOTED_REASON)
    in_capitals = _is_next_to_capital(sentence, place, count)
    if term.rule not in _REASONS:
        message = _FLAG_REASONS[term.rule] if term.neutral else _FLAG_REASONS["person"]
        is_named = in_capitals and term.rule != "title"
        return None if is_named else flag(term.rule, message.format(new=term.neutral))
    if not term.neutral:
        return flag(term.rule, _FLAG_REASONS["job"])
    if sentence.too_long:
        return flag(term.rule, "So many words without a stop are hardly a sentence.")
    if in_capitals or _is_odd_capital(sentence, place, count):
        return flag("in-name", _NAME_REASON)
    reason = _obstacle(sentence, place, count, core, term)
    if reason:
        return flag(term.rule, reason)
    compound = count == 1 and first.lowercase != core
    articles = () if compound else fix_article(sentence, place, term.neutral)
    edits = (*articles, *_edits(sentence, place, count, core))
    message = _REASONS[term.rule].format(new=term.neutral)
    return Proposal(first.start, last.end, term.rule, message, edits, side)


def _edits(sentence: EnglishSentence, place: int, count: int, core: str) -> tuple[Edit, ...]:
    new = terms()[core].neutral
    word = sentence.words[place]
    if count == 1:
        return (replace_word(word, new, core if word.lowercase != core else ""),)
    last = replace_word(sentence.words[place + 1], new)
    old = sentence.text[word.start - sentence.start : last.end - sentence.start]
    cased = replace_word(word, new).new
    return (Edit(word.start, last.end, old, cased + last.new[len(new) :]),)


def _is_next_to_capital(sentence: EnglishSentence, place: int, count: int) -> bool:
    word = sentence.words[place]
    if not word.capital or sentence.text.isupper():
        return False
    before, after = sentence.before(place), sentence.after(place + count - 1)
    before_is = before is not None and before.capital and place > 1
    after_is = after is not None and after.capital
    dotted = sentence.after(place + count - 1, ". ")
    of_what = _has_capital_complement(sentence, place + count)
    return (
        before_is or after_is or of_what or (dotted is not None and word.lowercase in ("mr", "ms"))
    )


def _has_capital_complement(sentence: EnglishSentence, place: int) -> bool:
    for words in (("of",), ("for",), ("of", "the"), ("for", "the")):
        if sentence.has_phrase(place, *words):
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
        return terms()[word.lowercase].neutral in table().tables["plurals"] if count == 1 else False
    if word.lowercase not in listed("offices"):
        return True
    before, after = sentence.before(place), sentence.after(place + count - 1)
    role = before is not None and before.lowercase in listed("determiners")
    joined = after is not None and after.lowercase in ("and", "or")
    ended = (
        after is None
        or bool(word.possessive)
        or (after.lowercase in function_words() and not joined)
    )
    verb = after is not None and (
        after.lowercase.endswith("ed") or after.lowercase in listed("past_forms")
    )
    return not (role and (ended or verb))


def _plural_neutral(term: GenderedTerm) -> str:
    """Return the neutral word in the plural, which the singular and the plural share."""
    return table().tables["plurals"].get(term.neutral, term.neutral)


def _obstacle(
    sentence: EnglishSentence, place: int, count: int, core: str, term: GenderedTerm
) -> str:
    """Return why the word for all would be wrong at this place, or nothing."""
    last = place + count - 1
    word, after = sentence.words[last], sentence.after(last)
    part_before = word.lowercase.removesuffix(core).rstrip("-") if count == 1 else ""
    if part_before and part_before not in listed("may_precede"):
        return "It is a part of a compound whose sense no list knows."
    if any(
        near.lowercase in ("only", "sole") for near in sentence.words[max(0, place - 3) : place]
    ):
        return "The sentence may mean that nobody of the other sex was there."
    if after and after.lowercase in ("and", "or"):
        other = sentence.after(last + 1)
        if other and other.lowercase in _SEXES:
            return f"It shares its first part with {other.text}."
    if after and after.capital and (" of " in term.neutral or term.neutral in _ALSO_ADJECTIVES):
        return f"Before a name {term.neutral} does not do."
    if core.endswith("manned") and (after is None or after.lowercase not in listed("crewed")):
        return "Crewed is said of what flies; elsewhere it is staffed, guarded or served."
    if core.startswith("firem") and any(
        near.lowercase in listed("locomotive") for near in sentence.words
    ):
        return "On an engine it is the one who feeds the fire."
    others = [other for at, _, other, entry in find_nouns(sentence) if at != place]
    same = [other for other in others if _plural_neutral(terms()[other]) == _plural_neutral(term)]
    if any(side_of(other) != side_of(core) for other in same):
        return "The word of the other sex stands beside it; both would become one."
    if sentence.gap_after(last)[:1] in ("'", "’") and not term.neutral.endswith("s"):
        return "Its possessive would have another ending."
    return ""
