"""Sentences about a whole run."""

from collections.abc import Iterator

from fairvec.messages import reports as m
from fairvec.results.identities import EndpointProbes, LocalAgreement
from tests.messages.snapshot_files import Case
from tests.report.outcomes import a_run, with_answers
from tests.results.toys import MODEL

PLAIN = EndpointProbes(
    encoding="base64",
    served_as="small-v1",
    repeat=0.0,
    in_batch=0.0,
    cut_within_words=None,
    refused_words=None,
    whole_words=2048,
    model_matters=True,
    shortest=1.0,
    longest=1.0,
    similarities=(0.25,),
    tolerance=1e-5,
    generation=1,
    batch=32,
)
SAME = LocalAgreement(
    language="en",
    sentences=500,
    least=0.999999,
    median=1.0,
    farthest="This is a nurse.",
    model="all-MiniLM-L6-v2",
)
ENDPOINTS = {
    "plain": PLAIN,
    "noisy, cut, any name": PLAIN.model_copy(
        update={
            "repeat": 0.0,
            "in_batch": 1.5e-7,
            "cut_within_words": 256,
            "whole_words": 128,
            "model_matters": False,
            "served_as": "",
        }
    ),
    "cut early, another model, unequal lengths": PLAIN.model_copy(
        update={
            "repeat": 0.002,
            "in_batch": 0.003,
            "cut_within_words": 64,
            "whole_words": 0,
            "model_matters": None,
            "shortest": 3.25,
            "longest": 4.5,
            "generation": 2,
        }
    ),
    "refuses long texts, same as local in one language": PLAIN.model_copy(
        update={
            "refused_words": 512,
            "whole_words": 128,
            "shortest": 2.0,
            "longest": 2.0,
            "same_as": (
                SAME,
                SAME.model_copy(
                    update={"language": "hi", "least": 0.926, "median": 0.98, "sentences": 1}
                ),
            ),
        }
    ),
    "refuses all long texts": PLAIN.model_copy(update={"refused_words": 128, "whole_words": 0}),
}


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
    for kind, probes in ENDPOINTS.items():
        probed = MODEL.model_copy(update={"endpoint": probes})
        yield "endpoint_paragraph", kind, m.endpoint_paragraph(probed)
    yield "endpoint_paragraph", "no endpoint", m.endpoint_paragraph(MODEL)
    yield "link_addresses", "one", m.link_addresses("from https://example.org/a.")
    gaps = m.coverage_gaps(run)
    yield "coverage_gaps", "a run", [f"{gap.title}: {gap.text}" for gap in gaps]
    yield "results_lines", "a run", m.results_lines(run).splitlines()
    yield "results_lines", "none", m.results_lines([])
