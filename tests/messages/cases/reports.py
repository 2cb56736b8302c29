"""Sentences about a whole run."""

from collections.abc import Iterator

from fairvec.messages import reports as m
from tests.messages.snapshot_files import Case
from tests.report.outcomes import a_run, with_answers
from tests.results.toys import MODEL


def sentences() -> Iterator[Case]:
    """Give every sentence about a whole run."""
    run = with_answers(a_run())
    used = m.settings_used(run)
    yield "settings_used", "a run", [f"{name}: {', '.join(of)}" for name, of in used.items()]
    step = {
        "action": "trained",
        "by": "glove",
        "corpus": ["a.txt"],
        "window": 5,
        "at": "https://a.b",
    }
    model = MODEL.model_copy(update={"history": (*MODEL.history, step)})
    yield "history_lines", "two steps", m.history_lines(model)
    yield "link_addresses", "one", m.link_addresses("from https://example.org/a.")
    gaps = m.coverage_gaps(run)
    yield "coverage_gaps", "a run", [f"{gap.title}: {gap.text}" for gap in gaps]
    yield "results_lines", "a run", m.results_lines(run).splitlines()
    yield "results_lines", "none", m.results_lines([])
