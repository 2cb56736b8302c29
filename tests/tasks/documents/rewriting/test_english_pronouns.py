"""Pronouns for anybody become they with their verbs; those of a person stay."""

import pytest

from fairvec.languages.en.pronouns import plural_verb
from tests.tasks.documents.rewriting.english_sentences import certain, flagged, found

CHANGED = [
    (
        "Every student must bring his book before he goes home.",
        "Every student must bring their book before they go home.",
    ),
    ("If anyone calls, tell him that we are out.", "If anyone calls, tell them that we are out."),
    ("Each individual has his own toilet.", "Each individual has their own toilet."),
    (
        "A player who loses his ball must pay before he continues.",
        "A player who loses their ball must pay before they continue.",
    ),
    ("A doctor must do what he can.", "A doctor must do what they can."),
    ("The applicant shall sign if he agrees.", "The applicant shall sign if they agree."),
    (
        "The applicant shall sign if he often travels.",
        "The applicant shall sign if they often travel.",
    ),
    ("The user may stop when he's done it himself.", None),
    ("The user may stop when he's been paid.", "The user may stop when they've been paid."),
    ("The user may stop when he's working.", "The user may stop when they're working."),
    ("The user may say that he'll pay.", "The user may say that they'll pay."),
    ("The user may say that he doesn't pay.", "The user may say that they don't pay."),
    (
        "A trial judge may acquit if he deems it right.",
        "A trial judge may acquit if they deem it right.",
    ),
    ("If a player asks, is he right? He can be.", "If a player asks, is he right? He can be."),
    ("Each player may choose which card is his.", "Each player may choose which card is theirs."),
    ("Any policeman must show his badge.", "Any police officer must show their badge."),
    ("A policeman must show his badge.", "A police officer must show their badge."),
    ("The spokesman may lose his job.", "The spokesperson may lose his job."),
    ("The user has lost his or her password.", "The user has lost their password."),
    ("He or she is tired.", "They are tired."),
    ("HE OR SHE IS TIRED.", "THEY ARE TIRED."),
    ("(S)he has left.", "They have left."),
    ("The user sees what s/he wants.", "The user sees what they want."),
    ("The user knows when he/she was here.", "The user knows when they were here."),
    ("Is he or she ready?", "Are they ready?"),
    ("Has she or he paid?", "Have they paid?"),
    ("Why does he/she wait?", "Why do they wait?"),
    ("It depends on how many pages he or she visits.", "It depends on how many pages they visit."),
    ("The reader asks him- or herself.", "The reader asks him- or herself."),
    ("A member may let him or her in.", "A member may let them in."),
    ("One must know himself or herself.", "One must know themselves."),
    ("He or she carries it.", "They carry it."),
    ("He or she also never misses it.", "They also never miss it."),
]
FLAGGED = [
    ("He or she reads and writes.", ["He or she"]),
    ("(S)he reads and writes.", ["(S)he"]),
    ("The user reads, and he or she, when asked, answers.", ["he or she"]),
    ("A player must wait until he reads and writes.", ["he"]),
    ("Every student must bring his book to the teacher.", ["his"]),
    ("A doctor lost his keys.", ["his"]),
    ("Each guest must kiss her hand.", ["her"]),
    ("Each player must beat him.", ["him"]),
    ("Everyone said that a player must win his game.", ["his"]),
    ('The player may say "he is out".', ["he"]),
    ("They know what he or she wants.", ["he or she"]),
    ("He or she must bring his book.", ["He or she"]),
]
UNTOUCHED = [
    "He was born in 1950.",
    "Mary lost her keys, as a doctor must.",
    "Everyone is worried at her home.",
    "Everybody loved him.",
    "As a child, he wanted to sing.",
    "A keen golfer, he won the cup.",
    "Like any other commander, he's working within his limits if he can.",
    "The company and its users said so.",
    "Every student met Napoleon at his home.",
]
VERBS = {
    "is": "are", "was": "were", "has": "have", "does": "do", "goes": "go", "isn't": "aren't",
    "doesn't": "don't", "hasn't": "haven't", "wasn't": "weren't", "reads": "read",
    "carries": "carry", "dies": "die", "lies": "lie", "passes": "pass", "watches": "watch",
    "washes": "wash", "fixes": "fix", "echoes": "echo", "uses": "use", "loses": "lose",
    "judges": "judge", "buzzes": "buzz", "says": "say", "agrees": "agree", "must": "must",
    "went": "went", "walked": "walked", "had": "had", "can't": "can't",
    "focuses": None, "aches": None, "thus": None, "as": None, "this": None, "blue": None,
    "his": None, "boss": None,
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CHANGED, ids=range(len(CHANGED)))
def test_they_agrees_with_its_verb(text: str, expected: str | None) -> None:
    assert certain(text) == (text if expected is None else expected)


@pytest.mark.parametrize(("text", "words"), FLAGGED, ids=range(len(FLAGGED)))
def test_what_is_not_certain_is_flagged(text: str, words: list[str]) -> None:
    assert certain(text) == text
    assert flagged(text) == words


@pytest.mark.parametrize("text", UNTOUCHED, ids=range(len(UNTOUCHED)))
def test_a_persons_pronoun_is_right_as_it_is(text: str) -> None:
    assert not found(text)


@pytest.mark.parametrize(("verb", "plural"), VERBS.items(), ids=VERBS)
def test_the_verb_after_they(verb: str, plural: str | None) -> None:
    assert plural_verb(verb) == plural


def test_the_pronoun_of_a_role_that_changes_is_flagged() -> None:
    text = "We seek a salesman who knows his trade."
    assert certain(text) == "We seek a salesperson who knows his trade."
    assert flagged(text) == ["his"]


def test_a_plural_is_not_taken_for_a_verb() -> None:
    assert certain("S/he comediennes.") == "S/he comedians."


def test_a_pronoun_and_its_verb_are_one_proposal() -> None:
    text = "Any student must stay until he has paid."
    (proposal,) = found(text)
    assert [(edit.old, edit.new) for edit in proposal.edits] == [("he", "they"), ("has", "have")]
    assert (proposal.rule, proposal.group) == ("generic-pronoun", "a")


@pytest.mark.parametrize("plural", ["ancestresses", "ancestors"])
def test_a_plural_of_people_is_no_verb(plural: str) -> None:
    assert certain(f"S/he {plural}").startswith("S/he")
