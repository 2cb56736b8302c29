"""Whether a pronoun stands for anybody of a kind: every student, a player who must."""

from fairvec.tasks.documents.rewriting.english.reading import EnglishSentence
from fairvec.tasks.documents.rewriting.english.table import listed, side_of, terms

_PAST = frozenset({"was", "were", "had", "did", "would", "could", "wasn't", "didn't", "hadn't"})
_ALSO_PRESENT = frozenset({"set", "put", "cut", "read", "hit", "quit", "let", "spread", "split"})
_THEY = frozenset({"they", "them", "their", "theirs", "themselves"})
_SOME = frozenset({"someone", "somebody"})


def why_not_generic(sentence: EnglishSentence, pronouns: list[int]) -> str | None:
    """Return nothing if every pronoun stands for anybody, else why that is not certain.

    None if there is no sign of it at all: then the pronoun is some person's, and right as it is.
    """
    found = _antecedents(sentence)
    if not found or _has_a_sex(sentence, found):
        return None
    if min(pronouns) < min(place for place, _ in found):
        return None
    if any(sentence.words[place].quoted for place in pronouns):
        return "It stands within quotation marks: it is what somebody said."
    if len(found) > 1:
        return "More than one person of the sentence could be meant."
    (place, strength) = found[0]
    sides = {_side(sentence.words[one].core) for one in pronouns}
    if len(sides) > 1:
        return "The sentence has pronouns of both sexes."
    if sides == {"b"}:
        # Each guest must kiss her hand: she is seldom anybody, and most often somebody else.
        return "It may mean a woman of another sentence."
    if not _rules(sentence, strength):
        return "It may mean one person whose sex the writer knows."
    if any(_is_in_the_same_clause(sentence, place, one) for one in pronouns):
        return "It may mean somebody else than the person before it."
    if _others(sentence, place, pronouns):
        return "They could also mean other people of the sentence."
    return ""


def _side(core: str) -> str:
    return side_of(core.partition("'")[0])


def _antecedents(sentence: EnglishSentence) -> list[tuple[int, str]]:
    """Return where persons in the singular may be anybody, and how general each is."""
    found = []
    for place, word in enumerate(sentence.words):
        if word.core in listed("generic_pronouns"):
            found.append((place, "one" if word.core in _SOME else "any"))
        elif _is_said_of_him(sentence, place):
            continue
        elif _is_person(word.core) and (determiner := _determiner(sentence, place)):
            if determiner in listed("generic_determiners"):
                found.append((place, "any"))
            else:
                role = word.core in terms() and determiner in ("a", "an")
                kind = role or word.core in listed("kinds")
                found.append((place, "one" if kind else "known"))
    return found if any(strength != "known" for _, strength in found) else []


def _is_said_of_him(sentence: EnglishSentence, place: int) -> bool:
    """Whether a noun says what a known person is: as a child he, a golfer, he."""
    back = place
    while sentence.before(back) and sentence.words[back].core not in listed("determiners"):
        back -= 1
    before = sentence.before(back)
    following = sentence.after(place, ", ")
    beside = following is not None and following.core in ("he", "she", "his", "her")
    return beside or (before is not None and before.core in ("as", "like", "unlike", "than"))


def _is_person(core: str) -> bool:
    term = terms().get(core)
    job = term is not None and term.rule == "job" and bool(term.neutral)
    return core in listed("person_nouns") or (job and core.endswith("man"))


def _determiner(sentence: EnglishSentence, place: int) -> str:
    for back in range(4):
        before = sentence.before(place - back)
        if before is None:
            return ""
        if before.core in listed("determiners"):
            return before.core
        if before.core in listed("prepositions", "conjunctions", "auxiliaries"):
            return ""
    return ""


def _has_a_sex(sentence: EnglishSentence, antecedents: list[tuple[int, str]]) -> bool:
    meant = {place for place, _ in antecedents}
    return any(
        word.core in terms() and place not in meant and not word.fixed
        for place, word in enumerate(sentence.words)
    )


def _is_in_the_same_clause(sentence: EnglishSentence, antecedent: int, place: int) -> bool:
    """Whether him has no clause of its own: in each player beats him he is another one."""
    if sentence.words[place].core != "him":
        return False
    between = sentence.words[antecedent + 1 : place + 1]
    return not any("," in word.gap or word.core in listed("clause_openers") for word in between)


def _rules(sentence: EnglishSentence, strength: str) -> bool:
    """Whether the sentence says what one must or may, or what holds if, and tells no story."""
    cores = {
        word.core
        for place, word in enumerate(sentence.words)
        if place == 0 or sentence.words[place - 1].core not in listed("before_participle")
    }
    if strength == "any" and cores & {"if", "unless", "whenever", "own", "has", "is"}:
        cores |= listed("ruling")
    story = cores & (_PAST | (listed("past_forms") - _ALSO_PRESENT))
    return bool(cores & listed("ruling")) and not story


def _others(sentence: EnglishSentence, antecedent: int, pronouns: list[int]) -> bool:
    """Whether other people are named whom they could mean; those that are owned cannot be."""
    owned = {place + step for place in pronouns for step in (1, 2)}
    for place, word in enumerate(sentence.words):
        if place == antecedent or place in owned:
            continue
        if word.core in _THEY | listed("plural_people", "generic_pronouns"):
            return True
        if word.core in listed("person_nouns") or word.core.removesuffix("s") in listed(
            "person_nouns"
        ):
            return True
    return False
