"""fairvec suites needs: how many words a test needs on a model."""

from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from fairvec.cli import options
from fairvec.cli.console import answer, lay_out, progress_bar, say
from fairvec.cli.opening import opened
from fairvec.cli.reading_options import reads_a_model
from fairvec.embedding import AS_FOUND, Reading
from fairvec.ground.numbers import number, p_value, signed
from fairvec.ground.text.visible_text import visible

if TYPE_CHECKING:
    from fairvec.results import DrawnLists, ListsNeeded, WordsNeeded


@reads_a_model(without=("invalid_utf8",))
def needs(
    test: Annotated[str, typer.Argument(help="One test, as in caliskan2017/weat-6.")],
    model: Annotated[str, typer.Option(help="A file, or a name of 'fairvec models list'.")],
    lists: Annotated[
        list[str] | None,
        typer.Option(
            "--list",
            help="Which lists vary: targets, attributes, x, y, a or b; may be repeated. Default: "
            "targets, then attributes.",
        ),
    ] = None,
    longest: Annotated[int, typer.Option(min=2, help="The longest lists to try.")] = 200,
    draws: Annotated[int, typer.Option(min=40, help="Random lists of each length.")] = 200,
    power: Annotated[float, typer.Option(help="Share of lists that shall be significant.")] = 0.8,
    within: Annotated[
        float, typer.Option(help="Margin within which 95 % of effects shall lie.")
    ] = 0.2,
    similarity: Annotated[
        str | None, typer.Option(help="As in 'fairvec audit'; default: the geometry's own.")
    ] = None,
    convention: Annotated[str, typer.Option(help="Effect size, as in 'fairvec audit'.")] = (
        "caliskan"
    ),
    min_coverage: Annotated[
        float, typer.Option(help="Refuse when less than this share of a list is found.")
    ] = 0.5,
    seed: options.Seed = 0,
    reading: Reading = AS_FOUND,
    as_json: Annotated[bool, typer.Option("--json", help="Print the record as JSON.")] = False,
) -> None:
    """Say how many words a test needs: how certainty grows with the length of its lists.

    Sub-lists are drawn from the lists at hand and share words, so that they agree more than lists
    written anew; new lists are a model, drawn with replacement.
    """
    # Here and not above: the lists are shown without statistics.
    from fairvec.evaluation.choosing.unseen_words import composed_note, unseen_words
    from fairvec.evaluation.lengths.needed import words_needed

    embedding = opened(model, reading, unseen=unseen_words(test, reading.language))
    if note := composed_note(embedding):
        say(note)
    with progress_bar("drawing lists") as progress:
        found = words_needed(
            embedding,
            test,
            lists=lists or ("targets", "attributes"),
            longest=longest,
            draws=draws,
            power=power,
            within=within,
            similarity=similarity,
            convention=convention,
            smallest_coverage=min_coverage,
            seed=seed,
            progress=progress,
        )
    if as_json:
        answer(found.model_dump_json())
        return
    if found.test.sensitive:
        say(f"Sensitive: {found.test.sensitive}")
    answer(_heading(found))
    for each in found.lists:
        lay_out(_table(each))
    answer(found.sentence)


def _heading(found: "WordsNeeded") -> str:
    from fairvec.report.words.numbers import span  # here: a list of suites has no results

    interval = f" ({span(found.interval)})" if found.interval else ""
    asked = visible(f"{found.test.id} on {found.model.name}", but="")
    return f"{asked}: d {signed(found.effect)}{interval}, p {p_value(found.p)}"


def _table(lists: "ListsNeeded") -> Table:
    """Return a line for each length; of lists longer than those at hand a + says so."""
    names = ", ".join(f"{role} {size}" for role, size in zip(lists.roles, lists.own, strict=True))
    shown = ("significant", "other sign", "d")
    columns = [f"{kind}: {what}" for kind in ("sub-lists", "new lists") for what in shown]
    table = Table(f"words ({names} here)", *columns, box=None, header_style="bold")
    for point in lists.lengths:
        beyond = "+" if point.words > max(lists.own) else ""
        table.add_row(f"{point.words}{beyond}", *_cells(point.sublists), *_cells(point.new))
    return table


def _cells(lists: "DrawnLists | None") -> tuple[str, str, str]:
    if lists is None:
        return "", "", ""
    known = lists.low is not None and lists.high is not None
    between = f"{number(lists.low or 0)} to {number(lists.high or 0)}" if known else ""
    return f"{lists.significant:.0%}", f"{lists.opposite:.0%}", between
