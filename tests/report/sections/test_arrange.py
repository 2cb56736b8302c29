from fairvec.core.format import group_by
from fairvec.report.arrange import all_series, panels, tests_by_category
from fairvec.results import Outcome
from tests.report.lists import TESTS
from tests.report.outcomes import a_run, identity, measured, model, skipped

ONE, OTHER = TESTS[1], TESTS[2]


def test_groups_keep_the_order_of_first_appearance() -> None:
    assert group_by("banana", str.upper) == {"B": ["b"], "A": ["a"] * 3, "N": ["n"] * 2}


def test_every_outcome_has_one_address() -> None:
    entries = [entry for one in all_series(a_run()) for entry in one.entries]
    assert sorted({entry.address for entry in entries}) == sorted(e.address for e in entries)
    assert [bool(entry.result) for entry in entries] == [not entry.skipped for entry in entries]
    assert len(entries) == len(a_run())


def test_models_that_answered_the_same_suite_are_compared() -> None:
    found = panels(all_series(a_run()))
    assert [[one.label for one in panel.series] for panel in found] == [
        ["glove-6b-100d", "poincare-glove", "word2vec-google-news-300"],
        ["navec-news"],
        ["glove-hi"],
    ]
    assert [panel.suites for panel in found] == [("caliskan2017",), ("pestova",), ("malik2022",)]


def test_a_suite_that_only_one_model_answered_stands_alone() -> None:
    first, second = model("first"), model("second")
    outcomes = [measured(first, ONE), measured(second, ONE), measured(first, TESTS[4])]
    assert [len(panel.series) for panel in panels(all_series(outcomes))] == [2, 1]


def test_baselines_come_last_and_each_test_once() -> None:
    categories = tests_by_category([identity(test) for test in (*TESTS, *TESTS)])
    assert [*map(str, categories)] == ["Gender", "Age", "Caste", "Baseline"]
    assert sum(len(tests) for tests in categories.values()) == len(TESTS)


def test_what_a_model_should_know_stands_apart_from_its_biases() -> None:
    grammar = identity(ONE, id="grammar", kind="meaningful-encoding")
    assert [*map(str, tests_by_category([identity(TESTS[0]), grammar, identity(ONE)]))] == [
        "Gender",
        "Gender, meaningful encoding",
        "Baseline",
    ]


def test_labels_say_only_what_sets_models_apart() -> None:
    flat = model("m")
    result = measured(flat, ONE)
    other_convention = result.convention.model_copy(update={"name": "population"})
    outcomes = [
        result,
        measured(flat, ONE, similarity="negative-distance"),
        measured(flat, ONE, convention=other_convention),
        measured(model("n"), ONE),
    ]
    assert [one.label for one in all_series(outcomes)] == [
        "m, cosine, caliskan",
        "m, negative-distance, caliskan",
        "m, cosine, population",
        "n",
    ]


def test_namesakes_with_other_vectors_are_told_apart_by_hash() -> None:
    outcomes = [measured(model("m", sha256=letter * 64), ONE) for letter in "ab"]
    assert [one.label for one in all_series(outcomes)] == ["m, aaaaaaaa", "m, bbbbbbbb"]


def test_a_skipped_test_belongs_to_every_convention_of_its_model() -> None:
    flat = model("m")
    result = measured(flat, ONE)
    population = result.convention.model_copy(update={"name": "population"})
    outcomes: list[Outcome] = [result, measured(flat, ONE, convention=population)]
    outcomes += [skipped(flat, OTHER)]
    assert [len(one.entries) for one in all_series(outcomes)] == [2, 2]
    assert [one.label for one in all_series([skipped(flat, OTHER)])] == ["m"]


def test_names_that_differ_in_case_are_two_topics_and_no_letter_is_made_small() -> None:
    names = ["gender", "Gender", "LGBT people"]
    found = tests_by_category([identity(ONE, id=f"s/{name}", category=name) for name in names])
    assert [topic.category for topic in found] == names
    assert [*map(str, found)] == ["Gender", "Gender", "LGBT people"]


def test_what_is_meant_stands_apart_from_a_bias_of_the_same_category() -> None:
    tests = [identity(ONE, id=f"s/{kind}", kind=kind) for kind in ("baseline", "bias")]
    assert [*map(str, tests_by_category(tests))] == ["Gender", "Gender, baseline"]
