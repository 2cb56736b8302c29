"""Suite files: reading, selecting, writing."""

import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import LexiconError, UnknownNameError
from fairvec.core.io.toml_files import FILE_KINDS
from fairvec.core.validation import Frozen
from fairvec.experiments.study.plan import StudyPlan, parse_study, study_scaffold
from fairvec.languages.language import file_of_language
from fairvec.languages.words import Word, WordSet
from fairvec.lexicon import (
    ROLES,
    Suite,
    Test,
    concept,
    parse_suite,
    read_suite,
    select_tests,
    shipped_suites,
    suite_to_toml,
)
from fairvec.lexicon.concepts import ConceptFile, parse_concepts
from fairvec.lexicon.suite_files import SuiteFile
from tests.lexicon.lists import HEAD, PAIRS, SETS, SUITE, TEST, WORDS_TEST, changed
from tests.loops import loop_over

# --- reading ---


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


@loop_over(
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


# --- shipped ---


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(SUITE + TEST.replace('"one"', '"two"'), encoding="utf-8")
    return path


def test_a_file_is_read_by_path_or_text(mine: Path) -> None:
    assert read_suite(mine) == read_suite(str(mine))
    assert [test.id for test in read_suite(mine).tests] == ["mine/one", "mine/two"]


def test_a_byte_order_mark_does_no_harm(mine: Path) -> None:
    suite = read_suite(mine)
    mine.write_bytes(b"\xef\xbb\xbf" + mine.read_bytes())
    assert read_suite(mine) == suite


def test_broken_toml_is_reported_with_its_line() -> None:
    with pytest.raises(LexiconError, match=r"^f\.toml, line 3, column 12: this is not TOML"):
        parse_suite(changed('"en"', "en"), "f.toml")


def test_toml_that_ends_too_soon_is_reported_with_its_last_line() -> None:
    with pytest.raises(LexiconError, match=r"^f\.toml, line 2"):
        parse_suite('id = "a"\nwords = ["a",', "f.toml")


def test_text_that_is_not_utf8_is_reported_with_its_line(mine: Path) -> None:
    mine.write_bytes('id = "mine"\ntitle = "папа"\n'.encode("cp1251"))
    with pytest.raises(LexiconError, match=r"mine\.toml, line 2: this is not UTF-8"):
        read_suite(mine)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(LexiconError, match=r"none\.toml: the suite file cannot be read \(no such"):
        read_suite(tmp_path / "none.toml")


def test_shipped_suites_are_sorted_and_read_once() -> None:
    suites = shipped_suites()
    assert [suite.id for suite in suites] == sorted({suite.id for suite in suites})
    assert shipped_suites() is suites


def test_tests_are_selected_by_suite_test_language_and_path(mine: Path) -> None:
    suite = next(suite for suite in shipped_suites() if suite.id == "pestova")
    all_ids = [test.id for test in suite.tests]
    assert [each.test.id for each in select_tests(["pestova"])] == all_ids
    assert [each.test.id for each in select_tests(["pestova/e2", "pestova/e1"])] == all_ids[1::-1]
    assert set(all_ids) <= {each.test.id for each in select_tests(["ru"])}
    assert {each.suite.language for each in select_tests(["ru"])} == {"ru"}
    assert [each.test.id for each in select_tests([mine])] == ["mine/one", "mine/two"]
    assert select_tests([str(mine)]) == select_tests([mine])
    assert all(each.test in each.suite.tests for each in select_tests(["ru", mine]))


def test_a_test_selected_twice_counts_once() -> None:
    chosen = [each.test.id for each in select_tests(["pestova/e2", "pestova", "pestova"])]
    assert chosen[:3] == ["pestova/e2", "pestova/e1", "pestova/e3"]
    assert sorted(chosen) == sorted(each.test.id for each in select_tests(["pestova"]))


def test_an_empty_selection_is_empty() -> None:
    assert select_tests([]) == []


@pytest.mark.parametrize(
    ("selector", "message"),
    [
        ("pestva", "no suite named 'pestva'; did you mean pestova?"),
        ("pestova/e11", "no test named 'pestova/e11'; did you mean pestova/e1"),
        ("pestva/e1", "no suite named 'pestva'; did you mean pestova?"),
        ("ru/gender", "no suite named 'ru/gender'; did you mean pestova?"),
        ("qqqq", "path of its .toml file"),
    ],
)
def test_unknown_names_get_an_offer(selector: str, message: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        select_tests([selector])
    assert message in str(caught.value)


@pytest.mark.parametrize("selector", ["weat-6", "WEAT-6", "weat6"])
def test_a_test_without_its_suite_is_offered_with_it(selector: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        select_tests([selector])
    offer = str(caught.value).partition("did you mean ")[2]
    assert offer.startswith("caliskan2017/weat-6")
    assert select_tests([offer.split()[0].rstrip("?")])


def test_every_suite_that_has_such_a_test_is_offered() -> None:
    having = [
        test.id
        for suite in shipped_suites()
        for test in suite.tests
        if test.id.endswith("/maths-arts")
    ]
    assert len(having) > 1
    with pytest.raises(UnknownNameError, match=re.escape(f"did you mean {' or '.join(having)}?")):
        select_tests(["maths-arts"])


def test_a_suite_with_a_slip_is_still_offered_as_a_suite() -> None:
    with pytest.raises(UnknownNameError, match=r"did you mean caliskan2017\?"):
        select_tests(["calisken2017"])
    with pytest.raises(UnknownNameError, match=r"did you mean caliskan2017\?"):
        select_tests(["calisken2017/weat-6"])


def test_two_suites_of_one_id_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        changed('id = "mine"', 'id = "pestova"').replace('id = "one"', 'id = "e1"'),
        encoding="utf-8",
    )
    with pytest.raises(LexiconError, match="two different suites have the id 'pestova'"):
        select_tests(["pestova", path])


# --- suite ---


def test_a_test_knows_its_suite_its_name_and_its_language() -> None:
    test = parse_suite(SUITE).tests[0]
    assert (test.id, test.suite, test.name, test.language) == ("mine/one", "mine", "one", "en")
    assert tuple(test.sets) == ("x", "y", "a", "b")
    assert not test.paired
    assert test.sets["y"].id == "insects"


def test_both_directions_are_described_in_words() -> None:
    test = parse_suite(SUITE).tests[0]
    assert test.positive_means == (
        "flowers are associated with pleasant words rather than unpleasant words more strongly "
        "than insects are"
    )
    assert test.negative_means == (
        "flowers are associated with unpleasant words rather than pleasant words more strongly "
        "than insects are"
    )
    assert test.effect_means("a", by="y") == (
        "insects are associated with pleasant words rather than unpleasant words more strongly "
        "than flowers are"
    )


def test_a_test_of_one_list_describes_its_direction() -> None:
    test = parse_suite(WORDS_TEST).tests[0]
    assert (tuple(test.sets), test.paired) == (("words", "a", "b"), True)
    assert test.positive_means == "jobs are associated with male words more than with female words"
    assert test.negative_means == "jobs are associated with female words more than with male words"


def test_a_test_with_all_lists_has_them_in_the_order_of_the_roles() -> None:
    test = parse_suite(changed('x = "flowers"', 'words = "flowers"\nx = "flowers"')).tests[0]
    assert tuple(test.sets) == ROLES
    assert test.positive_means.startswith("flowers are associated with pleasant words")


def test_pairs_alone_only_name_the_two_sides() -> None:
    test = parse_suite(PAIRS).tests[0]
    assert test.positive_means == "male words compared with female words"


def test_the_reasons_of_sensitive_lists_are_collected_once_each() -> None:
    note = 'sensitive = true\nsensitive_reason = "Slurs."\n'
    text = changed('title = "flowers"', f'title = "flowers"\n{note}')
    text = text.replace('title = "insects"', f'title = "insects"\n{note}')
    assert parse_suite(text).tests[0].sensitive_reason == "Slurs."
    assert parse_suite(SUITE).tests[0].sensitive_reason == ""


# --- writing ---


WORDS = st.one_of(
    st.text(min_size=1, max_size=12),
    st.sampled_from(
        ['"', "\\", '"""', "'''", "हिंदी", "क्\u200dष", "ёлка", "\x00", "\x7f", "a#b", "]"]
    ),
).filter(lambda word: word.strip() and word.encode("utf-8", "replace").decode() == word)


@pytest.mark.parametrize("suite", shipped_suites(), ids=lambda suite: suite.id)
def test_every_shipped_suite_is_read_again_as_it_was(suite: Suite) -> None:
    assert parse_suite(suite_to_toml(suite)) == suite


@given(
    lists=st.lists(st.lists(WORDS, min_size=1, max_size=4), min_size=4, max_size=4),
    title=WORDS,
    variant=WORDS,
)
def test_any_words_are_read_again_as_they_were(
    lists: list[list[str]], title: str, variant: str
) -> None:
    x, y, a, b = lists
    entry = Word(word=x[0], variants=(variant,), pos="NOUN", gloss=variant)
    sets = {
        role: WordSet(id=role, title=title, concept="idea", words=words)
        for role, words in zip("yab", (y, a, b), strict=True)
    }
    sets["x"] = WordSet(
        id="x", title=title, pos="NOUN", sensitive=True, sensitive_reason=title, words=(entry, *x)
    )
    test = Test(sets=sets, id="mine/one", title=title, category=title, tags=[title], language="hi")
    suite = Suite(tests=[test], id="mine", title=title, notes=title)
    assert parse_suite(suite_to_toml(suite)) == suite


def test_a_written_file_is_a_suite_of_its_own(tmp_path: Path) -> None:
    test = Test(x=["he said"], y=["ё"], a=["क"], b=['say "no"'], title="Quotes", language="en")
    suite = Suite(tests=[test])
    file = tmp_path / "own.toml"
    file.write_text(suite_to_toml(suite), encoding="utf-8")
    assert read_suite(file) == suite


def test_a_name_that_no_file_can_have_is_refused() -> None:
    test = Test(x=["a", "b"], y=["c", "d"], a=["e"], b=["f"], id="own/Of my own", language="en")
    with pytest.raises(LexiconError, match="small letters"):
        suite_to_toml(Suite(tests=[test]))


def test_lists_that_are_not_those_of_the_suite_are_refused() -> None:
    test = Test(x=["a", "b"], y=["c", "d"], a=["e"], b=["f"], id="own/one", language="en")
    other = WordSet(id=test.sets["x"].id, title="others", words=("g", "h"))
    sets = {wordset.id: wordset for wordset in test.sets.values()} | {other.id: other}
    with pytest.raises(LexiconError, match="would not be the same"):
        suite_to_toml(Suite(tests=[test], sets=sets))


# --- A file that is given as one of another kind is told what it is ---


DATA = files("fairvec.lexicon") / "data"
TEXTS: dict[str, Callable[[], str]] = {
    "a suite of tests": lambda: (DATA / "suites" / "malik2022.toml").read_text("utf-8"),
    "a file of concepts": lambda: file_of_language("hi", "concepts", "it").read_text("utf-8"),
    "the plan of a study": study_scaffold,
}
PARSERS: dict[str, Callable[[str, str], object]] = {
    "a suite of tests": parse_suite,
    "a file of concepts": parse_concepts,
    "the plan of a study": parse_study,
}


@pytest.mark.parametrize("content", TEXTS)
@pytest.mark.parametrize("reader", PARSERS)
def test_a_file_of_another_kind_is_refused_by_its_kind(content: str, reader: str) -> None:
    if content == reader:
        assert PARSERS[reader](TEXTS[content](), "my.toml")
        return
    with pytest.raises(LexiconError) as refused:
        PARSERS[reader](TEXTS[content](), "my.toml")
    assert str(refused.value).startswith(f"my.toml: this is {content} and not {reader}; ")


def test_a_slip_in_a_file_of_the_right_kind_is_named_as_ever() -> None:
    text = TEXTS["a suite of tests"]().replace("licence =", "license =", 1)
    with pytest.raises(LexiconError, match="did you mean licence"):
        parse_suite(text + "\n[concepts.x]\n", "my.toml")


def test_marks_are_keys_that_every_file_of_a_kind_must_have() -> None:
    models: tuple[type[Frozen], ...] = (SuiteFile, ConceptFile, StudyPlan)
    for kind, model in zip(FILE_KINDS, models, strict=True):
        assert all(model.model_fields[mark].is_required() for mark in kind.marks)


def test_a_suite_that_is_named_as_a_concept_is_refused(tmp_path: Path) -> None:
    suite = tmp_path / "mine.toml"
    suite.write_text(TEXTS["a suite of tests"](), encoding="utf-8")
    with pytest.raises(LexiconError, match=r"mine\.toml: this is a suite .* with --suite"):
        concept(f"{suite}:pairs")
