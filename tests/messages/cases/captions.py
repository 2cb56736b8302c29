"""Titles, questions, captions and keys of pages, pictures and tables."""

from collections.abc import Iterator

from fairvec.messages import captions as m
from fairvec.messages.changes import before_and_after
from fairvec.report.latex import escape_latex
from fairvec.results import Outcome
from tests.messages.snapshot_files import Case
from tests.report.outcomes import a_run, first_result, with_answers
from tests.report.sample_records import SURVEY
from tests.results.toys import MODEL, compared, measured, pooled


def sentences() -> Iterator[Case]:
    """Give every title, caption and key."""
    other = MODEL.model_copy(update={"name": "other"})
    changed = before_and_after([compared()])
    for kind, models in {"one": [MODEL], "two": [MODEL, other]}.items():
        yield "page_title", f"{kind} model(s)", m.page_title(models)
        for categories in ((), ("gender",), ("gender", "race")):
            for in_a_task in (False, True):
                of = f"{kind} model(s), {len(categories)} categories, in a task: {in_a_task}"
                question = m.page_question(models, categories, in_a_task=in_a_task)
                yield "page_question", of, question
    yield "page_title", "a change", m.page_title([MODEL], changed)
    question = m.page_question([MODEL], ["gender"], changed, in_a_task=False)
    yield "page_question", "a change", question
    yield "benchmarks_title", "one", m.benchmarks_title("glove")
    yield "frontier_title", "one", m.frontier_title(SURVEY)
    for name in (
        "TESTS_KEY",
        "DOTS_KEY",
        "POOLED_KEY",
        "PREDICTION_KEY",
        "HARMLESS_KEY",
        "SIZES_KEY",
        "DIFFERENCES_KEY",
        "TWO_SIDED_VERDICTS",
    ):
        yield name, "always", str(getattr(m, name))
    for together in (False, True):
        yield "tests_caption", f"pooled: {together}", m.tests_caption(pooled=together)
        yield "categories_caption", f"pooled: {together}", m.categories_caption(pooled=together)
    yield "caption_of_models", "two", m.caption_of_models("Every test", ["glove", "navec"])
    yield "rows_drawn_note", "some", m.rows_drawn_note(200, 312)
    result = first_result("glove-6b-100d")
    for function in (m.strip_caption, m.strip_key, m.heat_map_caption, m.heat_map_key):
        yield function.__name__, "one test", function(result)
    yield "heat_map_shades", "one", m.heat_map_shades(("-0.10", "0.40"), 0.15, "About it.")
    run = with_answers(a_run())
    runs: dict[str, list[Outcome]] = {"none": [], "one test": [measured()], "a run": run}
    for kind, records in runs.items():
        yield "records_caption", kind, m.records_caption(records)
    for number in (0, 1, 2):
        yield "omitted_note", str(number), m.omitted_note(number, "test", "tests")
    for kind, records in runs.items():
        plain = m.table_caption(records, escape=str, p="p", percent=" %")
        yield "table_caption", kind, plain
    one_tail = measured().model_copy(
        update={"p": measured().p.model_copy(update={"sides": "greater"})}
    )
    mixed = pooled(1.0)
    mixed = mixed.model_copy(update={"verdict": mixed.verdict.model_copy(update={"kind": "mixed"})})
    latex = m.table_caption([one_tail, mixed], escape=escape_latex, p="$p$", percent=r"\,\%")
    yield "table_caption", "one tail, mixed, LaTeX", latex
    yield "pooled_row_title", "biased", m.pooled_row_title(pooled(1.0))
    yield "pooled_row_title", "mixed", m.pooled_row_title(mixed)
    yield "evidence_count", "two of five", m.evidence_count(2, 5)
    yield "evidence_title", "gender", m.evidence_title("Gender")
