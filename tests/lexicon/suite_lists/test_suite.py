from fairvec.lexicon import ROLES, parse_suite
from tests.lexicon.lists import PAIRS, SUITE, WORDS_TEST, changed


def test_a_test_knows_its_suite_its_name_and_its_language() -> None:
    test = parse_suite(SUITE).tests[0]
    assert (test.id, test.suite, test.name, test.language) == ("mine/one", "mine", "one", "en")
    assert tuple(test.sets) == ("x", "y", "a", "b")
    assert not test.paired
    assert test.sets["y"].id == "insects"


def test_both_directions_are_said_in_words() -> None:
    test = parse_suite(SUITE).tests[0]
    assert test.positive_means == (
        "flowers lean more to pleasant words, insects more to unpleasant words"
    )
    assert test.negative_means == (
        "flowers lean more to unpleasant words, insects more to pleasant words"
    )


def test_a_test_of_one_list_says_where_it_leans() -> None:
    test = parse_suite(WORDS_TEST).tests[0]
    assert (tuple(test.sets), test.paired) == (("words", "a", "b"), True)
    assert test.positive_means == "jobs lean to male words rather than to female words"
    assert test.negative_means == "jobs lean to female words rather than to male words"


def test_a_test_with_all_lists_has_them_in_the_order_of_the_roles() -> None:
    test = parse_suite(changed('x = "flowers"', 'words = "flowers"\nx = "flowers"')).tests[0]
    assert tuple(test.sets) == ROLES
    assert test.positive_means.startswith("flowers lean more to pleasant words, insects")


def test_pairs_alone_only_name_the_two_sides() -> None:
    test = parse_suite(PAIRS).tests[0]
    assert test.positive_means == "male words are set against female words"


def test_the_reasons_of_sensitive_lists_are_collected_once_each() -> None:
    note = 'sensitive = true\nsensitive_reason = "Slurs."\n'
    text = changed('title = "flowers"', f'title = "flowers"\n{note}')
    text = text.replace('title = "insects"', f'title = "insects"\n{note}')
    assert parse_suite(text).tests[0].sensitive_reason == "Slurs."
    assert parse_suite(SUITE).tests[0].sensitive_reason == ""
