"""Suites and tests as objects."""

import pickle
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fairvec.core.errors import LexiconError, UnknownNameError
from fairvec.languages.words import Word, WordSet
from fairvec.lexicon import Suite, Test, lint_suite, select_tests, shipped_suites
from tests.api.toys import JOBS, PLANTS
from tests.loops import loop_over

SLIPS: dict[str, tuple[dict[str, Any], str]] = {
    "one-string": ({"x": "doctor"}, r"x is one string; give a list of words, as in \['doctor'\]"),
    "number": ({"x": ["boss", 5]}, "Word 2 of x is an object of the kind int"),
    "gap": ({"x": ["boss", float("nan")]}, "Word 2 of x is an object of the kind float"),
    "none": ({"y": [None]}, "Word 1 of y is an object of the kind NoneType"),
    "bytes": ({"y": b"nurse"}, "y is an object of the kind bytes, which is no list"),
    "nested": ({"y": [["nurse"]]}, "Word 1 of y is an object of the kind list"),
    "half-a-character": ({"y": ["\ud800"]}, "Word 1 of y: .* holds half a character"),
    "title-of-a-number": ({"title": 3}, "title must be text, and is 3; say title='3'"),
    "id-of-a-number": ({"id": 3}, "id must be text, and is 3; say id='3'"),
    "empty-word": ({"a": ["he", " "]}, "Word 2 of a is empty"),
    "empty-list": ({"a": []}, "a is an empty list; give it words"),
    "no-list": ({"a": 5}, "a is an object of the kind int; give a list"),
    "dict": ({"a": {"he": 1}}, "a is an object of the kind dict, which is no list"),
    "one-side": ({"b": None}, "There is a list a and none b; give both"),
    "one-target": ({"x": None}, "There is a list y and none x; give both"),
    "no-targets": ({"x": None, "y": None}, "no targets; give x= and y=, or one list words="),
    "no-attributes": ({"a": None, "b": None}, "no attributes; give a= and b="),
    "equal-targets": ({"x": JOBS["y"][::-1]}, "x and y hold the same words"),
    "equal-attributes": ({"b": JOBS["a"]}, "a and b hold the same words"),
    "unequal-pairs": ({"b": ["she"], "paired": True}, "a has 5 words and b 1, which are no pairs"),
    "pairs-of-a-set": ({"b": {*JOBS["b"]}, "paired": True}, "a set has no order"),
    "kind": ({"kind": "bais"}, "did you mean bias"),
    "language": ({"language": "English"}, "must be an ISO 639 code"),
    "category": ({"category": ""}, "category must not be empty"),
    "title-of-none": ({"titles": {"words": "all"}}, "no list to give a title to named 'words'"),
    "part-of-speech": ({"a": [{"word": "he", "pos": "PRO"}]}, "Word 1 of a: pos is 'PRO'"),
    "both": ({"sets": {}}, "A test has sets= and x=; give one of them"),
}


@loop_over("slip", SLIPS)
def test_a_mistake_is_reported_in_one_sentence(slip: str) -> None:
    changes, message = SLIPS[slip]
    with pytest.raises((LexiconError, UnknownNameError), match=message) as caught:
        Test(**{**JOBS, **changes})
    assert str(caught.value).count("\n") == 0
    assert str(caught.value).endswith(".")


def test_a_test_describes_what_its_effect_means() -> None:
    test = Test(**JOBS, titles={"a": "men", "b": "women"})
    assert test.positive_means == (
        "engineer/mechanic/… are associated with men rather than women more strongly than "
        "nurse/receptionist/… are"
    )
    assert test.title == "engineer/mechanic/… and nurse/receptionist/…, men and women"
    one = Test(words=["boss"], a=["he"], b=["she"])
    assert one.positive_means == "boss are associated with he more than with she"
    assert one.filling("words") == ("words",)


def test_a_list_may_have_a_title_and_spellings_of_its_own() -> None:
    men = WordSet(id="men", title="men", words=(Word(word="he", variants=("him",)),))
    test = Test(**{**JOBS, "a": men, "b": [{"word": "she", "variants": ["her"]}]})
    assert test.sets["a"] is men
    assert test.sets["b"].words[0].spellings == ("she", "her")


WORDS = st.lists(st.text(st.characters(categories=["L", "M", "N", "P"]), min_size=1), min_size=1)


@given(WORDS, WORDS)
def test_the_words_of_any_script_stay_as_they_are(x: list[str], y: list[str]) -> None:
    assume({*x} != {*y})
    test = Test(**{**JOBS, "x": x, "y": y})
    assert [word.word for word in test.sets["x"].words] == x
    (selected,) = select_tests(test)
    assert selected.suite.tests == (test,)
    assert pickle.loads(pickle.dumps(selected)) == selected


def test_ids_are_those_of_titles_or_of_the_words() -> None:
    assert Test(**JOBS, id="jobs").id == "own/jobs"
    assert Test(**JOBS, id="mine/jobs").suite == "mine"
    assert Test(**JOBS, title="Jobs & persons!").id == "own/jobs-persons"
    assert Test(**JOBS).id == Test(**JOBS).id
    fewer = Test(**{**JOBS, "x": JOBS["x"][:-1]})
    assert fewer.id != Test(**JOBS).id
    assert fewer.id.startswith("own/engineer-nurse-he-she-")
    other = Test(x=["папа"], y=["мама"], a=["он"], b=["она"], title="Родители")
    assert other.name.isalnum()


def test_other_words_are_another_version() -> None:
    versions = [
        select_tests(Test(**{**JOBS, "x": words}, id="jobs"))[0].suite.version
        for words in (JOBS["x"], JOBS["x"][:-1], JOBS["x"])
    ]
    assert versions[0] == versions[2] != versions[1]


def test_a_suite_takes_tests_in() -> None:
    suite = Suite(tests=[Test(**JOBS, id="jobs"), Test(**PLANTS, id="plants")], id="mine")
    assert [test.id for test in suite.tests] == ["mine/jobs", "mine/plants"]
    assert {*suite.sets.values()} == {
        wordset for test in suite.tests for wordset in test.sets.values()
    }
    assert lint_suite(suite) == ()
    spoken = Suite(tests=suite.tests, language="en")
    assert {test.language for test in spoken.tests} == {"en"}
    assert Suite(tests=[Test(**JOBS, language="hi")]).language == "hi"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"tests": []}, "The suite own has no tests"),
        ({"tests": [Test(**JOBS, id="one"), Test(**PLANTS, id="one")]}, "are called 'one'"),
        ({"tests": [Test(**JOBS)], "id": "My Suite"}, "may hold only small letters"),
        (
            {"tests": [Test(**JOBS, language="en"), Test(**PLANTS, language="hi")]},
            "The tests are in en and hi; make a suite for each",
        ),
    ],
    ids=["no-tests", "one-name", "id", "languages"],
)
def test_a_suite_refuses_what_a_file_would(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(LexiconError, match=message):
        Suite(**settings)


def test_a_suite_takes_its_tests_from_any_iterable() -> None:
    jobs, plants = Test(**JOBS, id="jobs"), Test(**PLANTS, id="plants")
    suite = Suite(tests=[jobs, plants], id="mine")
    assert [one.id for one in suite.tests] == ["mine/jobs", "mine/plants"]
    assert Suite(tests=(one for one in (jobs, plants)), id="mine") == suite
    assert Suite(tests=jobs, id="mine") == Suite(tests=[jobs], id="mine")


@pytest.mark.parametrize("tests", [JOBS, [JOBS], "caliskan2017", ["caliskan2017"], 5, None])
def test_a_suite_is_made_of_tests_alone(tests: Any) -> None:
    with pytest.raises(LexiconError, match="suite mine is made of Test objects, not of an object"):
        Suite(tests=tests, id="mine")


def test_lists_of_one_id_are_one_list() -> None:
    men, boys = (WordSet(id="men", title="men", words=(Word(word=w),)) for w in ("man", "boy"))
    tests = [Test(**{**JOBS, "a": men}), Test(**{**PLANTS, "a": boys})]
    with pytest.raises(LexiconError, match="Two different lists have the id 'men'"):
        Suite(tests=tests)


def test_tests_available_are_selected_as_named_ones_are() -> None:
    suite = shipped_suites()[0]
    assert select_tests(suite) == select_tests(suite.id)
    assert select_tests(suite.tests[0]) == select_tests([suite.tests[0].id])
    assert select_tests([suite.id, suite.tests[0], suite]) == select_tests(suite.id)


def test_a_test_in_the_name_of_a_shipped_suite_is_refused() -> None:
    shipped = shipped_suites()[0]
    with pytest.raises(
        LexiconError, match=f"comes with fairvec.*as in own/{shipped.tests[0].name}"
    ):
        select_tests(Test(**JOBS, id=shipped.tests[0].id))
    with pytest.raises(LexiconError, match="two different suites have the id"):
        select_tests([shipped, Suite(tests=[Test(**JOBS)], id=shipped.id)])


def test_two_tests_of_one_name_are_refused_and_one_twice_counts_once() -> None:
    one, other = Test(**JOBS, title="Mine"), Test(**PLANTS, title="Mine")
    assert len(select_tests([one, one])) == 1
    with pytest.raises(LexiconError, match="Two different tests are called own/mine"):
        select_tests([one, other])
