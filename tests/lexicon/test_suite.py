from fairvec.lexicon import ROLES, parse_suite
from tests.lexicon.lists import SUITE, changed


def test_a_test_knows_its_suite_its_name_and_its_language() -> None:
    test = parse_suite(SUITE).tests[0]
    assert (test.id, test.suite, test.name, test.language) == ("mine/one", "mine", "one", "en")
    assert tuple(test.sets) == ROLES
    assert test.sets["y"].id == "insects"


def test_both_directions_are_said_in_words() -> None:
    test = parse_suite(SUITE).tests[0]
    assert test.positive_means == (
        "flowers are closer to pleasant words and insects to unpleasant words"
    )
    assert test.negative_means == (
        "flowers are closer to unpleasant words and insects to pleasant words"
    )


def test_the_reasons_of_sensitive_lists_are_collected_once_each() -> None:
    note = 'sensitive = true\nsensitive_reason = "Slurs."\n'
    text = changed('title = "flowers"', f'title = "flowers"\n{note}')
    text = text.replace('title = "insects"', f'title = "insects"\n{note}')
    assert parse_suite(text).tests[0].sensitive_reason == "Slurs."
    assert parse_suite(SUITE).tests[0].sensitive_reason == ""
