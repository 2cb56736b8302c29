from fairvec.messages.reports import linked, models, settings, steps, suites
from tests.report.lists import TESTS
from tests.report.outcomes import a_run, measured, model, skipped


def test_suites_are_counted_by_their_distinct_tests() -> None:
    assert [(suite.id, suite.tests) for suite in suites(a_run())] == [
        ("caliskan2017", 4),
        ("pestova", 1),
        ("malik2022", 2),
    ]


def test_each_model_is_named_once() -> None:
    assert len(models(a_run())) == 5


def test_every_value_that_a_setting_had_is_said() -> None:
    found = settings(a_run())
    assert found["Similarity"] == ["cosine", "negative-distance"]
    assert found["p-values"] == ["exact", "certified", "sampled"]
    assert found["Sampling"] == ["100,000 draws, seed 7"]
    assert found["Convention"] == ["caliskan: ddof 1, denominator word scores over X and Y"]


def test_settings_without_a_value_are_left_out() -> None:
    assert "Sampling" not in settings([measured(model("m"), TESTS[1])])
    assert "Interval" not in settings([skipped(model("m"), TESTS[1])])


def test_history_reads_as_steps() -> None:
    history = (
        {"action": "read", "format": "glove"},
        {"action": "subset", "most_frequent": 10000, "suites": ["a 1", "b 1"]},
    )
    assert steps(model("m", history=history)) == [
        "read, format glove",
        "subset, most frequent 10,000, suites a 1 and b 1",
    ]


def test_addresses_become_plain_links_and_the_rest_is_escaped() -> None:
    text = "A <b>. doi:10.1126/science.aal4230. See https://example.org/x?a=1&b=2, (2017)."
    assert linked(text) == (
        'A &lt;b&gt;. <a href="https://doi.org/10.1126/science.aal4230" rel="noreferrer">'
        "doi:10.1126/science.aal4230</a>. See "
        '<a href="https://example.org/x?a=1&amp;b=2" rel="noreferrer">'
        "https://example.org/x?a=1&amp;b=2</a>, (2017)."
    )
    assert linked("javascript:alert(1)") == "javascript:alert(1)"
