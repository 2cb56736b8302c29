from fairvec.messages.reports import (
    distinct_models,
    history_lines,
    link_addresses,
    settings_used,
    suites_used,
)
from tests.report.lists import TESTS
from tests.report.outcomes import a_run, measured, model, skipped


def test_suites_are_counted_by_their_distinct_tests() -> None:
    assert [(suite.id, suite.tests) for suite in suites_used(a_run())] == [
        ("caliskan2017", 4),
        ("pestova", 1),
        ("malik2022", 2),
    ]


def test_each_model_is_named_once() -> None:
    assert len(distinct_models(a_run())) == 5


def test_every_value_that_a_setting_had_is_said() -> None:
    found = settings_used(a_run())
    assert found["Similarity"] == ["cosine", "negative-distance"]
    assert found["p-values"] == ["exact", "certified", "sampled"]
    assert found["Sampling"] == ["100,000 draws, seed 7"]
    assert found["Convention"] == ["caliskan: ddof 1, denominator word scores over X and Y"]


def test_settings_without_a_value_are_left_out() -> None:
    assert "Sampling" not in settings_used([measured(model("m"), TESTS[1])])
    assert "Interval" not in settings_used([skipped(model("m"), TESTS[1])])


def test_history_reads_as_steps() -> None:
    history = (
        {"action": "read", "format": "glove"},
        {"action": "subset", "most_frequent": 10000, "suites": ["a 1", "b 1"]},
    )
    assert history_lines(model("m", history=history)) == [
        "read, format glove",
        "subset, most frequent 10,000, suites a 1 and b 1",
    ]


def test_addresses_become_plain_links_and_the_rest_is_escaped() -> None:
    text = "A <b>. doi:10.1126/science.aal4230. See https://example.org/x?a=1&b=2, (2017)."
    assert link_addresses(text) == (
        'A &lt;b&gt;. <a href="https://doi.org/10.1126/science.aal4230" rel="noreferrer">'
        "doi:10.1126/science.aal4230</a>. See "
        '<a href="https://example.org/x?a=1&amp;b=2" rel="noreferrer">'
        "https://example.org/x?a=1&amp;b=2</a>, (2017)."
    )
    assert link_addresses("javascript:alert(1)") == "javascript:alert(1)"
