"""A word that is written with a joiner is the word."""

from fairvec.documents.find import word_matcher
from fairvec.languages.text import parse_document


def test_a_joiner_changes_the_look_alone() -> None:
    plain, joined = "उसकी पत्नी घर गई।", "उसकी पत्\u200dनी घर गई।"
    found = [[*word_matcher("hi").find(parse_document(text, "hi"))] for text in (plain, joined)]
    assert [one.entry.word for one in found[0]] == ["पत्नी"]
    assert [one.entry for one in found[1]] == [one.entry for one in found[0]]
    (wife,) = found[1]
    assert joined[wife.start : wife.end] == "पत्\u200dनी"
