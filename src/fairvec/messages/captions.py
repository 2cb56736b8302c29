"""Titles, questions, captions and keys of pages, pictures and tables."""

from collections.abc import Callable, Sequence

from fairvec.core.format import format_number, join_words, number_word, pluralize
from fairvec.messages.categories import join_names
from fairvec.messages.changes import BeforeAfter
from fairvec.messages.test_details import list_titles
from fairvec.messages.verdicts import model_noun
from fairvec.results import Outcome, Result
from fairvec.results.frontier import FrontierSummary
from fairvec.results.identities import ModelIdentity
from fairvec.results.records import CategoryAnswer, Description

# The title of a page, and the question that it answers.


def page_title(models: Sequence[ModelIdentity], changed: Sequence[BeforeAfter] = ()) -> str:
    """Return the title of a page about these models."""
    if len(changed) == 1:
        return f"{changed[0].before} before and after a change"
    if len(models) == 1:
        return f"Bias audit of {models[0].name}"
    return f"Bias audit of {number_word(len(models))} {model_noun(models)}s"


def benchmarks_title(model: str) -> str:
    """Return the title of a page about the benchmarks of a model."""
    return f"Benchmarks of {model}"


def frontier_title(survey: FrontierSummary) -> str:
    """Return the title of a page about a frontier."""
    return f"Removing {survey.concept} from {survey.model.name}: bias left and information lost"


def page_question(
    models: Sequence[ModelIdentity],
    categories: Sequence[str],
    changed: Sequence[BeforeAfter] = (),
    *,
    in_a_task: bool,
) -> str:
    """Return the question of a page, by the categories of bias that were asked about.

    `in_a_task`: every bias test asks for differences of what a classifier says.
    """
    several = f"these {number_word(len(models))} {model_noun(models)}s"
    who = models[0].name if len(models) == 1 else several
    if changed:
        return f"How did the change affect the bias and the usefulness of {changed[0].before}?"
    if not categories:
        return f"What associations {'does' if len(models) == 1 else 'do'} {who} have?"
    does = "Does" if len(models) == 1 else "Do"
    if in_a_task:
        return (
            f"{does} {who} make a classifier read sentences about two groups of people "
            f"differently ({join_names(categories)})? By how much, and how certain is that?"
        )
    return (
        f"{does} {who} show bias by {join_names(categories)}? How large is it, and how certain is "
        "that?"
    )


# What a picture shows, and how its marks are read.

TESTS_KEY = "Dot: one test, with its interval; filled: significant after correction, hollow: not."
DOTS_KEY = "Small dots: single tests."
POOLED_KEY = (
    "Diamond: all tests of a category pooled, as wide as the interval; filled: significant after "
    "correction."
)
PREDICTION_KEY = "Thin line: prediction interval for another test of the category."
HARMLESS_KEY = "Grey: an association that is not a bias."
SIZES_KEY = (
    "Right of 0: in the direction of the stereotype, as the tests’ authors define it. d = 0.2 is "
    "small, 0.5 medium, 0.8 large."
)
DIFFERENCES_KEY = "For differences (diff.): right of 0, the first group is read as more positive."


def tests_caption(*, pooled: bool) -> str:
    """Return what a plot of every test shows."""
    return "Every test" + (", and the pooled effect of each category" if pooled else "")


def categories_caption(*, pooled: bool) -> str:
    """Return what a plot of every category shows."""
    return "Every category: its tests" + (", and their pooled effect" if pooled else "")


def caption_of_models(caption: str, models: Sequence[str]) -> str:
    """Return a caption with the models that a plot is of."""
    return f"{caption}: {join_words(models)}"


def rows_drawn_note(drawn: int, rows: int) -> str:
    """Return how many rows of a plot were drawn."""
    return f"Only the first {drawn} of {pluralize(rows, 'row')} are drawn."


def strip_caption(result: Result) -> str:
    """Return what a plot of a test's words shows."""
    return f"{result.test.title}: the leaning of each word in {result.model.name}"


def strip_key(result: Result) -> str:
    """Return how the marks of a plot of a test's words are read."""
    titles = list_titles(result)
    return (
        f"Above, filled: {titles.get('x', 'X')}. Below, hollow: {titles.get('y', 'Y')}. Bar: from "
        "the mean of one list to that of the other."
    )


def heat_map_caption(result: Result) -> str:
    """Return what a heat map of a test shows."""
    return f"{result.test.title}: similarity of each word to each attribute in {result.model.name}"


def heat_map_key(result: Result) -> str:
    """Return what the rows and columns of a heat map are."""
    titles = list_titles(result)
    return (
        f"Rows: {titles.get('x', 'X')}, then {titles.get('y', 'Y')}. Columns: "
        f"{titles.get('a', 'A')} | {titles.get('b', 'B')}."
    )


def heat_map_shades(ends: tuple[str, str], mean: float, about: str) -> str:
    """Return what the colours of a heat map mean, and then what its table says."""
    low, high = ends
    return (
        f"Darkest blue: {low} or less; darkest orange: {high} or more; no colour: near the mean, "
        f"{format_number(mean)}. {about}"
    )


# Records and tables.


def records_caption(outcomes: Sequence[Outcome]) -> str:
    """Return how many records there are, and of which models."""
    models = list(dict.fromkeys(outcome.model.name for outcome in outcomes))
    origin = f" of {models[0]}" if len(models) == 1 else f" of {len(models)} models"
    return f"{pluralize(len(outcomes), 'record')}{origin}" if outcomes else "No records"


def omitted_note(number: int, singular: str, plural: str) -> str:
    """Return how many more there are that are not shown; nothing if none."""
    return f"{pluralize(number, singular, plural)} more not shown. " if number > 0 else ""


def table_caption(
    outcomes: Sequence[Outcome], *, escape: Callable[[str], str], p: str, percent: str
) -> str:
    """Return what was measured in which models, what the columns of a table are, and what is bold.

    `escape` makes text of a name; `p` and `percent` are how the table writes p and a space with %.
    """
    models = [*dict.fromkeys(outcome.model.name for outcome in outcomes)]
    metrics = [*dict.fromkeys(outcome.metric for outcome in outcomes)]
    judged = [outcome for outcome in outcomes if isinstance(outcome, Result | CategoryAnswer)]
    intervals = [
        outcome.interval
        for outcome in outcomes
        if isinstance(outcome, Result | CategoryAnswer | Description)
    ]
    levels = sorted({f"{100 * interval.level:.3g}" for interval in intervals if interval})
    metrics_note = f" by {join_words(metrics)}" if metrics else ""
    of_models = f" in {join_words(models)}" if models else ""
    sentences = [escape(f"Associations{of_models}{metrics_note}.")]
    if levels:
        sentences.append(f"Intervals: {escape(join_words(levels))}{percent}.")
    if judged:
        alphas = sorted({f"{outcome.verdict.alpha:g}" for outcome in judged})
        sentences.append(
            f"Bold: significant (two-sided {p}, Holm-corrected over the tests of the same suite "
            f"and kind, at most {join_words(alphas, 'or')})."
        )
    if any(isinstance(outcome, CategoryAnswer) for outcome in judged):
        sentences.append(
            f"All of a category: the pooled effect of its bias tests with one joint {p}, corrected "
            "over the categories; a category with one test has the figures of that test."
        )
    if any(outcome.verdict.kind == "mixed" for outcome in judged):
        sentences.append(
            "Mixed: single tests are significant, but together they show no clear direction."
        )
    if any(outcome.p.sides != "two" for outcome in judged):
        sentences.append(f"The columns of {p} count one tail, but bold is decided two-sided.")
    return " ".join(sentences)


def pooled_row_title(answer: CategoryAnswer) -> str:
    """Return what a row of a table pools, and that it is mixed, which no figure shows."""
    mixed = ": mixed" if answer.verdict.kind == "mixed" else ""
    return f"All of {answer.test.category}, {pluralize(len(answer.tests), 'test')}{mixed}"


def evidence_count(found: int, tests: int) -> str:
    """Return how many tests of a cell have evidence."""
    return f"{found} of {tests}"


def evidence_title(topic: str) -> str:
    """Return what such a cell counts."""
    return f"{topic}: significant tests, of all tests"


TWO_SIDED_VERDICTS = "Verdicts are two-sided, whichever tail the column of p counts."
