from fairvec.languages.sentences import Sentence, Templates
from fairvec.lexicon import resolve
from fairvec.metrics.bias.seat import choose_templates, fill_templates, template_mismatch
from tests import toys
from tests.metrics.bleached import KINDS, TEST, templates

OWN = {"target_templates": "own", "attribute_templates": "own"}


def made(known: Templates | None = None, /, **settings: str) -> dict[str, list[list[Sentence]]]:
    groups = resolve(TEST, toys.embedding())
    chosen = choose_templates(groups, known or templates(), **settings)  # type: ignore[arg-type]
    return fill_templates(groups, chosen)


def texts(role: str, **settings: str) -> list[list[str]]:
    return [[sentence.text for sentence in each] for each in made(**settings)[role]]


def test_each_word_may_take_the_templates_of_its_part_of_speech() -> None:
    assert texts("x", **OWN)[:2] == [
        ["This is an office.", "The office is here.", "Office"],
        ["This is salary.", "Salary is here."],
    ]


def test_a_list_may_choose_for_all_its_words() -> None:
    found = made(templates(chosen_by="list"), **OWN)
    assert [len(each) for each in found["x"]] == [3] * 5


def test_the_parts_of_a_sentence_make_its_text_and_carry_the_words_keys() -> None:
    first, second, third = made(**OWN)["x"][0]
    assert (first.before, first.word, first.after) == ("This is an ", "office", ".")
    assert (second.before, second.word, second.after) == ("The ", "office", " is here.")
    assert (third.before, third.word, third.after) == ("", "Office", "")
    found = resolve(TEST, toys.embedding())["x"].found
    assert first.keys == found[0].keys


def test_attributes_may_take_the_templates_of_the_targets() -> None:
    assert texts("a", **OWN)[0] == ["This is a man.", "The man is here.", "Man"]
    targets = {**OWN, "attribute_templates": "targets"}
    assert texts("a", **targets)[0] == [
        "This is a man.",
        "The man is here.",
        "Man",
        "This is man.",
        "Man is here.",
        "This may man.",
    ]
    assert texts("x", **targets) == texts("x", **OWN)


def test_what_parts_of_speech_share_goes_before_what_fits_any_word() -> None:
    kinds = {**KINDS, "common-noun": ("this is _.", "the _."), "verb": ("_", "this is _.")}
    for any_word in ({}, {"any-word": ("the word _",)}):
        found = made(templates(kinds=kinds | any_word))
        assert {len(each) for each in found["x"]} == {1}
        assert found["x"][0][0].text == "This is office."


def test_lists_that_share_nothing_keep_their_own_and_are_doubted() -> None:
    groups = resolve(TEST, toys.embedding())
    assert texts("x") == texts("x", **OWN)
    doubt = template_mismatch(choose_templates(groups, templates()))
    assert doubt.startswith("The lists X and Y, A and B stand in different sentences")
    assert "any-word" in doubt
    mended = templates(kinds={**KINDS, "any-word": ("the word _",)})
    assert template_mismatch(choose_templates(groups, mended)) == ""
    assert template_mismatch(choose_templates(groups, mended, "own", "targets")).startswith(
        "The lists X and Y stand"
    )
