import pytest

from fairvec.core.errors import LexiconError
from fairvec.lexicon import parse_suite
from tests.lexicon.lists import HEAD, SETS, SUITE, TEST, changed


def test_the_parts_of_the_file_arrive() -> None:
    waiver = '[[waivers]]\nfinding = "unused-set"\nwhere = "x"\nreason = "r"\n'
    suite = parse_suite('doi = "10.1"\nnotes = "n"\n' + SUITE + waiver)
    assert (suite.id, suite.version, suite.language, suite.title) == ("mine", "1", "en", "Mine")
    assert (suite.source, suite.licence) == ("Nobody (2020).", "Free.")
    assert (suite.doi, suite.notes) == ("10.1", "n")
    assert [word.word for word in suite.sets["flowers"].words] == ["aster", "lovely"]
    assert [word.pos for word in suite.sets["flowers"].words] == ["NOUN", "ADJ"]
    assert suite.waivers[0].reason == "r"


@pytest.mark.parametrize("key", ["id", "version", "language", "title", "source", "licence"])
def test_the_head_is_required(key: str) -> None:
    head = "".join(line for line in HEAD.splitlines(True) if not line.startswith(key))
    with pytest.raises(LexiconError, match=rf"^mine\.toml: {key} is required\.$"):
        parse_suite(head + SETS + TEST, "mine.toml")


def without(*roles: str) -> str:
    lines = SUITE.splitlines(True)
    return "".join(line for line in lines if line.partition(" =")[0] not in roles)


@pytest.mark.parametrize("role", ["a", "b"])
def test_both_attributes_are_required(role: str) -> None:
    with pytest.raises(LexiconError, match=rf"tests\[1\]\.{role} is required"):
        parse_suite(without(role))


@pytest.mark.parametrize("role", ["x", "y"])
def test_a_target_list_needs_the_other(role: str) -> None:
    with pytest.raises(
        LexiconError, match=rf"tests\[1\] needs both x and y, and {role} is missing"
    ):
        parse_suite(without(role))


def test_some_target_is_required_unless_the_test_is_of_pairs() -> None:
    with pytest.raises(LexiconError, match=r"tests\[1\] needs targets: x and y, or words"):
        parse_suite(without("x", "y"))
    for line, roles in (('words = "flowers"', ["words", "a", "b"]), ("paired = true", ["a", "b"])):
        assert list(parse_suite(f"{without('x', 'y')}{line}\n").tests[0].sets) == roles


def test_pairs_must_have_two_halves() -> None:
    text = changed('["joy", "peace"]', '["joy"]') + "paired = true\n"
    with pytest.raises(LexiconError, match="test one is paired, but a has 1 word and b has 2"):
        parse_suite(text)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("licence", "license", "license is not a known key (did you mean licence?)"),
        (
            'title = "insects"',
            'title = "insects"\nsensitiv = true',
            "sets.insects.sensitiv is not a known key (did you mean sensitive?)",
        ),
        (
            'pos = "ADJ"',
            'glos = "x"',
            "sets.flowers.words[2].glos is not a known key (did you mean gloss?)",
        ),
        ("category", "categry", "tests[1].categry is not a known key (did you mean category?)"),
        ('x = "flowers"', 'x = "flowrs"', "no set 'flowrs' to use as x (did you mean flowers?)"),
        ('pos = "ADJ"', 'pos = "Adjective"', "words[2].pos is 'Adjective' and must be 'ADJ'"),
        ('kind = "baseline"', 'kind = "base"', "tests[1].kind is 'base' and must be 'bias'"),
        ('version = "1"', "version = 1", 'version must be text in quotes, as in "1".'),
        ('"ant"', '""', "sets.insects.words[1].word must not be empty"),
        ('["ant", "flea"]', "[]", "sets.insects.words must not be empty"),
        ('"ant"', "3", "sets.insects.words[1] must be a word in quotes"),
        ('language = "en"', 'language = "English"', "language is 'English' and must be an ISO 639"),
        ('id = "mine"', 'id = "My suite"', "id is 'My suite' and may hold only small letters"),
        ('title = "insects"', 'title = "i"\nsensitive = true', "sets.insects needs both sensitive"),
        ('title = "insects"', 'title = "i"\nid = "i"', "takes its id from its heading"),
        (TEST, TEST + TEST, "the test id one is used 2 times"),
        (TEST, "", "tests is required"),
        (HEAD, HEAD + "tests = []\n", ""),
    ],
)
def test_mistakes_are_named_with_their_place(old: str, new: str, message: str) -> None:
    with pytest.raises(LexiconError) as caught:
        parse_suite(changed(old, new), "mine.toml")
    assert str(caught.value).startswith("mine.toml")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_suite_without_tests_is_refused() -> None:
    with pytest.raises(LexiconError, match="tests must not be empty"):
        parse_suite(HEAD + "tests = []\n" + SETS)


def test_sets_must_be_tables() -> None:
    with pytest.raises(LexiconError, match="sets must be a table"):
        parse_suite(HEAD + "sets = 3\n" + TEST)
    with pytest.raises(LexiconError, match=r"sets\.a must be a table"):
        parse_suite(HEAD + "sets = { a = 3 }\n" + TEST)


def test_unknown_waivers_are_refused() -> None:
    waiver = '[[waivers]]\nfinding = "overlap"\nwhere = "one"\nreason = "r"\nwhy = "w"\n'
    with pytest.raises(LexiconError, match=r"waivers\[1\]\.finding is 'overlap'") as caught:
        parse_suite(SUITE + waiver)
    assert "waivers[1].why is not a known key" in str(caught.value)
