import numpy as np

from fairvec.lexicon import resolve
from fairvec.metrics.sentences import in_sentences
from tests import toys
from tests.metrics.bleached import TEST, templates


def texts(role: str, **settings: str) -> list[list[str]]:
    groups = resolve(TEST, toys.embedding())
    made = in_sentences(groups, templates(), **settings)  # type: ignore[arg-type]
    return [[sentence.text for sentence in each] for each in made[role]]


def test_each_word_takes_the_templates_of_its_part_of_speech() -> None:
    assert texts("x")[:2] == [
        ["This is an office.", "The office is here.", "Office"],
        ["This is salary.", "Salary is here."],
    ]


def test_a_list_may_choose_for_all_its_words() -> None:
    groups = resolve(TEST, toys.embedding())
    made = in_sentences(groups, templates(chosen_by="list"))
    assert [len(each) for each in made["x"]] == [3] * 5


def test_the_parts_of_a_sentence_make_its_text_and_carry_the_words_vector() -> None:
    groups = resolve(TEST, toys.embedding())
    first, second, third = in_sentences(groups, templates())["x"][0]
    assert (first.before, first.word, first.after) == ("This is an ", "office", ".")
    assert (second.before, second.word, second.after) == ("The ", "office", " is here.")
    assert (third.before, third.word, third.after) == ("", "Office", "")
    np.testing.assert_array_equal(first.vector, groups["x"].vectors[0])


def test_attributes_may_take_the_templates_of_the_targets() -> None:
    assert texts("a")[0] == ["This is a man.", "The man is here.", "Man"]
    assert texts("a", attribute_templates="targets")[0] == [
        "This is a man.",
        "The man is here.",
        "Man",
        "This is man.",
        "Man is here.",
        "This may man.",
    ]
    assert texts("x", attribute_templates="targets") == texts("x")
