"""Suggest neutral English nouns: chairman to chairperson, sons and daughters to children."""

from collections.abc import Iterator
from functools import cache

from fairvec.languages.en.homographs import is_homograph
from fairvec.languages.en.sentences import (
    EnglishSentence,
    counterpart,
    fix_article,
    function_words,
    listed,
    replace_word,
    side_of,
    table,
    terms,
)
from fairvec.languages.rewriting import (
    GenderedTerm,
    UncertainError,
    match_case,
    reason_sentence,
    suggest_at,
)
from fairvec.results.documents import Edit, Suggestion


def suggest_pairs(sentence: EnglishSentence) -> Iterator[tuple[set[int], Suggestion]]:
    """Yield each pair of words that has a common word, with the positions it covers.

    Certain are plurals (sons and daughters), one of two (a husband or wife), and somebody's two
    (his father and mother); only where the noun phrase ends after them.
    """
    if any(word.lowercase in listed("one_of_two") for word in sentence.words):
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
        edit = Edit(start=first.start, end=second.end, old=old, new=match_case(first.text, new))
        edits = (*fix_article(sentence, place, new), edit)
        reason = reason_sentence("en", "pair", word=new)
        found = suggest_at(first, second, "pair", reason, edits=edits, candidates=(new,))
        yield {place, place + 1, place + 2}, found


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
        one = before and before.lowercase in listed("singular_determiners", "possessives")
        return term.neutral if one else ""
    owned = before and before.lowercase in listed("possessives")
    return plural if owned and term.rule == "kinship" else ""


def _ends_phrase(sentence: EnglishSentence, place: int) -> bool:
    """Whether the noun phrase ends with the word at a place."""
    gap = sentence.gap_after(place)
    after = sentence.after(place)
    if after is None:
        return gap[:1] not in ("'", "’", "-")
    verb = after.lowercase.endswith("ed") or after.lowercase in listed("past_forms")
    return after.lowercase in function_words() or verb


_CERTAIN = ("job", "collective")
_REASON_OF_RULE = {"job": "everybody", "collective": "all-people"}
_RULE_OF_FLAG = {"quoted-noun": "in-quotes", "name-or-title": "in-name"}


def neutral_nouns(sentence: EnglishSentence) -> Iterator[Suggestion]:
    """Yield a change or a flag for each gendered noun of a sentence."""
    done: set[int] = set()
    for places, suggestion in () if sentence.too_long else suggest_pairs(sentence):
        done |= places
        yield suggestion
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
    known, phrase_openings = terms(), _phrase_openings()
    has_counterpart = any(word.lowercase in marked for word in sentence.words)
    for place, word in enumerate(sentence.words):
        core = word.lowercase
        if place <= skip or (core in generic_alone and not has_counterpart):
            continue
        phrase = _two_words(sentence, place) if core in phrase_openings else ""
        term = phrase or (core if core in known else core.rpartition("-")[2])
        if term not in known:
            continue
        at = word.start - sentence.start
        if is_homograph(sentence.text, at, at + len(word.text)):
            continue
        if phrase:
            skip = place + 1
        yield place, 2 if phrase else 1, term, known[term]


def _two_words(sentence: EnglishSentence, place: int) -> str:
    """Return the term of two words at a place, or nothing."""
    word, following = sentence.words[place], sentence.after(place)
    phrase = f"{word.lowercase} {following.lowercase}" if following else ""
    return phrase if phrase in terms() and not word.possessive else ""


@cache
def _phrase_openings() -> frozenset[str]:
    return frozenset(term.split()[0] for term in terms() if " " in term)


def _suggest_for_noun(
    sentence: EnglishSentence, place: int, count: int, core: str, term: GenderedTerm
) -> Suggestion | None:
    first, last = sentence.words[place], sentence.words[place + count - 1]
    in_capitals = _is_next_to_capital(sentence, place, count)
    is_named = in_capitals and term.rule not in (*_CERTAIN, "title")
    if is_named and not first.quoted:
        return None
    rule = term.rule
    edits: tuple[Edit, ...] = ()
    try:
        _check_noun(sentence, place, count, core, term, in_capitals=in_capitals)
        compound = count == 1 and first.lowercase != core
        articles = () if compound else fix_article(sentence, place, term.neutral)
        edits = (*articles, *_edits(sentence, place, count, core))
        reason = reason_sentence("en", _REASON_OF_RULE[term.rule], word=term.neutral)
    except UncertainError as uncertain:
        rule = _RULE_OF_FLAG.get(uncertain.key, term.rule)
        reason = uncertain.sentence("en")
    words = (term.neutral,)
    return suggest_at(
        first, last, rule, reason, side_of(core), edits=edits, candidates=words, term=core
    )


def _edits(sentence: EnglishSentence, place: int, count: int, core: str) -> tuple[Edit, ...]:
    new = terms()[core].neutral
    word = sentence.words[place]
    if count == 1:
        return (replace_word(word, new, core if word.lowercase != core else ""),)
    last = replace_word(sentence.words[place + 1], new)
    old = sentence.text[word.start - sentence.start : last.end - sentence.start]
    cased = replace_word(word, new).new
    return (Edit(start=word.start, end=last.end, old=old, new=cased + last.new[len(new) :]),)


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


def _check_noun(
    sentence: EnglishSentence,
    place: int,
    count: int,
    core: str,
    term: GenderedTerm,
    *,
    in_capitals: bool,
) -> None:
    """Raise UncertainError if the word for all may be wrong at this place."""
    if sentence.words[place].quoted:
        raise UncertainError("quoted-noun")
    if term.rule not in _CERTAIN:
        raise UncertainError(term.rule if term.neutral else "person", word=term.neutral)
    if not term.neutral:
        raise UncertainError("sense")
    if sentence.too_long:
        raise UncertainError("too-long")
    if in_capitals or _is_odd_capital(sentence, place, count):
        raise UncertainError("name-or-title")
    last = place + count - 1
    word, after = sentence.words[last], sentence.after(last)
    part_before = word.lowercase.removesuffix(core).rstrip("-") if count == 1 else ""
    if part_before and part_before not in listed("may_precede"):
        raise UncertainError("compound")
    if any(
        near.lowercase in ("only", "sole") for near in sentence.words[max(0, place - 3) : place]
    ):
        raise UncertainError("only-of-one-sex")
    if after and after.lowercase in ("and", "or"):
        other = sentence.after(last + 1)
        if other and other.lowercase in listed("second_parts"):
            raise UncertainError("shared-part", word=other.text)
    adjective = term.neutral in listed("also_adjectives")
    if after and after.capital and (" of " in term.neutral or adjective):
        raise UncertainError("before-name", word=term.neutral)
    if core.endswith("manned") and (after is None or after.lowercase not in listed("crewed")):
        raise UncertainError("crewed")
    if core.startswith("firem") and any(
        near.lowercase in listed("locomotive") for near in sentence.words
    ):
        raise UncertainError("engine")
    others = [other for at, _, other, entry in find_nouns(sentence) if at != place]
    same = [other for other in others if _plural_neutral(terms()[other]) == _plural_neutral(term)]
    if any(side_of(other) != side_of(core) for other in same):
        raise UncertainError("both-would-be-one")
    if sentence.gap_after(last)[:1] in ("'", "’") and not term.neutral.endswith("s"):
        raise UncertainError("possessive")
