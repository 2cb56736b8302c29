"""A swap turns every gendered word of a paragraph into the other one, or none."""

import pytest

from tests.tasks.documents.rewriting.english_sentences import certain, flagged, found

SWAPPED = [
    ("He was born in Paris.", "She was born in Paris."),
    ("The king loved his wife.", "The queen loved her husband."),
    ("An aunt came.", "An uncle came."),
    ("Her mother was a carpenter.", "His father was a carpenter."),
    ("She met her husband at a party.", "He met his wife at a party."),
    ("We saw her.", "We saw him."),
    ("The house is hers.", "The house is his."),
    ("She told us that she'd come.", "He told us that he'd come."),
    ("He is an actor.", "She is an actress."),
    ("Mr. Smith said he was tired.", "Ms. Smith said she was tired."),
    ("He hurt himself.", "She hurt herself."),
    ("In her first film she played a nurse.", "In his first film he played a nurse."),
    ("The girl's hat fell.", "The boy's hat fell."),
    ("She was its vice-chairwoman.", "He was its vice-chairman."),
    ("He left a widow.", "She left a widower."),
    ("Both women fought to a draw.", "Both men fought to a draw."),
    ("He came. His wife stayed.", "She came. Her husband stayed."),
    ("The user may change his or her password.", "The user may change his or her password."),
    ("He saved mankind.", "She saved mankind."),
    ("He left the café with his son at 5 µm.", "She left the café with her daughter at 5 µm."),
    ("The child of a man came.", "The child of a woman came."),
    ("If he or she comes, his son waits.", "If he or she comes, her daughter waits."),
]
HELD = [
    ("Mary lost her keys.", ["her"]),
    ("He came. His friend Mary stayed.", ["He", "His"]),
    ("Mary came. He stayed.", ["He"]),
    ("She was launched as a frigate.", ["She"]),
    ("She gave birth to a son.", ["She", "son"]),
    ("He gave her money.", ["He", "her"]),
    ("They made her queen.", ["her", "queen"]),
    ("Mrs. Smith slept.", ["Mrs"]),
    ("Men earn more than women.", ["Men", "women"]),
    ("Policemen were called.", ["Policemen"]),
    ("The actors left.", ["actors"]),
    ("The actor met his wife and her mother.", ["actor", "his", "wife", "her", "mother"]),
    ("It was the first woman to vote.", ["woman"]),
    ("And then He spoke.", ["He"]),
    ('"He is late" is all she said.', ["He", "she"]),
    ("The seaman met his son.", ["seaman", "his", "son"]),
    ("They wrote to King George about his horse.", ["King", "his"]),
    ("The villa is at Kings Weston.", ["Kings"]),
    ("The male lays no claim.", ["male"]),
    ("JOHN LOST HIS KEYS.", ["HIS"]),
    ("He mothers her.", ["He", "mothers", "her"]),
    ("They had to man the pumps.", ["man"]),
    # Somebody else's sex is told by a word that has no counterpart in the table.
    ("The old man kissed his wife.", ["his", "wife"]),
    ("The best man forgot his speech.", ["his"]),
    ("He was the man of the match.", ["He"]),
    ("The con man lost his hat.", ["his"]),
    ("The bride and groom danced.", ["bride"]),
    ("My fiancé bought her mother a ring.", ["her", "mother"]),
    ("My fiance\u0301e bought his mother a ring.", ["his", "mother"]),
    ("The lad lost his cap.", ["his"]),
    ("The chap told her a joke.", ["her"]),
    ("The grooms' hats were his.", ["his"]),
    ("The hubby lost his cap.", ["his"]),
    ("Yes, Mister, she said.", ["she"]),
    ("The dad-to-be hugged her.", ["her"]),
    ("The boy-king lost his crown.", ["boy-king", "his"]),
    ("The shepherd and his shepherdess slept.", ["his"]),
    ("The boy band split up, and his career began.", ["his"]),
    ("The groom smiled. Then he left.", ["he"]),
    # Bodies, and what is called she without being a person.
    ("She breastfed the child.", ["She"]),
    ("He shaved and left.", ["He"]),
    ("She was a fast car.", ["She"]),
    ("The hurricane lost her force.", ["her"]),
    ("They love the motherland and her people.", ["her"]),
    ("The queen's gambit is old.", ["queen's"]),
    # All people, or a whole sex.
    ("They wrote the history of man.", ["man"]),
    ("They wrote of the rights of woman.", ["woman"]),
    # What is said in another script is not read.
    ("The chairman said वह एक अच्छा लड़का है and she left.", ["chairman", "she"]),
    ("They call it дача. Then she left.", ["she"]),
    ("The stewardess lost her keys.", ["stewardess", "her"]),
    ("The stewards met the stewardess.", ["stewards", "stewardess"]),
    ("The steward lost his keys.", ["his"]),
]


@pytest.mark.parametrize(("text", "expected"), SWAPPED, ids=range(len(SWAPPED)))
def test_every_gendered_word_is_swapped_and_back(text: str, expected: str) -> None:
    assert certain(text, "swap") == expected
    assert certain(expected, "swap") == text


@pytest.mark.parametrize(("text", "words"), HELD, ids=range(len(HELD)))
def test_half_a_swap_is_never_made(text: str, words: list[str]) -> None:
    assert certain(text, "swap") == text
    assert flagged(text, "swap") == words


def test_a_flag_says_what_holds_the_swap_back() -> None:
    of_name, of_other = (one.why for one in found("Mary lost her keys. He left.", "swap"))
    assert of_name == "It holds what may be a name, and names are kept."
    assert of_other.startswith("The paragraph holds what may be a name")
    (of_quote,) = (one.why for one in found('They said "his" twice.', "swap"))
    assert of_quote.startswith("Within quotation marks")


def test_a_flag_says_that_somebody_has_no_counterpart() -> None:
    (of_groom,) = (one.why for one in found("The bride and groom danced.", "swap"))
    assert of_groom.startswith("It names somebody by a word that tells the sex")
    (of_script,) = (one.why for one in found("They call it дача, she said.", "swap"))
    assert of_script == "It has words of another script, which are not read."


def test_lines_that_break_a_sentence_are_read_together() -> None:
    text = "Then she met her\nhusband.\n\nHe left."
    assert certain(text, "swap") == "Then he met his\nwife.\n\nShe left."
    assert certain("They saw Mary and\nher car. She\nwaved.", "swap").count("her") == 1
    assert flagged("She met her", "swap") == ["She", "her"]
    assert certain("She met  her\u00a0husband.", "swap") == "He met  his\u00a0wife."


def test_one_paragraph_does_not_hold_back_another() -> None:
    text = "Mary lost her keys.\nHe came."
    assert certain(text, "swap") == "Mary lost her keys.\nShe came."
