from fairvec.messages.test_details import (
    influence_sentence,
    list_titles,
    missing_words,
    most_influential,
    spelling_notes,
    word_label,
)
from fairvec.results import WordScore
from tests.report.lists import TESTS
from tests.report.outcomes import coverage, measured, model

ONE = TESTS[1]


def test_a_word_tells_what_a_reader_needs() -> None:
    word = WordScore(
        word="योग",
        key="योग_NOUN",
        role="x",
        score=-0.0512,
        without=1.25,
        transliteration="yog",
        gloss="addition",
    )
    assert word_label(word) == (
        "योग · yog · “addition” · found as योग_NOUN · leans −0.051 · without it d = 1.25"
    )
    bare = WordScore(word="math", key="math", role="x", score=0.1)
    assert word_label(bare) == "math · leans +0.100"


def test_influence_names_the_words_that_reverse_the_effect() -> None:
    result = measured(model("m"), ONE)
    low, high = (pick(w.without or 0 for w in result.words) for pick in (min, max))
    assert influence_sentence(result) == (
        f"With any one word left out d stays between {low:.2f} and {high:.2f}; "
        "no single word reverses it."
    )
    turned = [w.model_copy(update={"without": -0.1}) for w in result.words[:2]]
    of_two = result.model_copy(update={"words": (*turned, *result.words[2:])})
    assert influence_sentence(of_two).endswith("; leaving out John or Paul reverses it.")
    assert influence_sentence(result.model_copy(update={"words": ()})) == ""


def test_the_most_influential_words_move_the_effect_most() -> None:
    result = measured(model("m"), ONE)
    moves = [abs((word.without or 0) - result.effect) for word in result.words]
    chosen = most_influential(result, 3)
    assert [abs((w.without or 0) - result.effect) for w in chosen] == sorted(moves)[:-4:-1]


def test_missing_words_stand_by_their_reason() -> None:
    group = coverage(ONE, missing=2)[0]
    assert missing_words(group) == ["Not in the vocabulary: John, Paul"]
    mixed = {"a": "", "b": "its vector is zero", "c": ""}
    assert missing_words(group.model_copy(update={"missing": mixed})) == [
        "Missing: a, c",
        "Its vector is zero: b",
    ]


def test_spellings_name_key_and_rule() -> None:
    found = [spelling_notes(group) for group in coverage(TESTS[5])]
    assert found == [{}, {}, {"variant and nasal": ["सुन्दर → सुंदर"]}, {}]
    cased = coverage(ONE)[0].model_copy(
        update={
            "matched": {"Al": "al", "Bo": "bo", "é": "e"},
            "how": {"Al": "case", "Bo": "case"},
        }
    )
    assert spelling_notes(cased) == {
        "case": ["Al → al", "Bo → bo"],
        "other spelling": ["é → e"],
    }


def test_lists_are_named_by_their_roles() -> None:
    assert list_titles(measured(model("m"), ONE)) == dict(zip("xyab", ONE.lists, strict=True))
