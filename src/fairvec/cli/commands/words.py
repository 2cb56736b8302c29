"""The commands about single words: fairvec neighbours, analogy and biased-analogies."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal

from fairvec.api.words import NearestWords
from fairvec.api.words import analogy as complete_analogy
from fairvec.api.words import biased_analogies as find_biased_analogies
from fairvec.api.words import neighbours as find_neighbours
from fairvec.cli import options
from fairvec.cli.console import print_note, print_table, progress_bar
from fairvec.cli.models import model_first, model_source
from fairvec.cli.options import Argument, Option, Without
from fairvec.core.errors import FileFormatError
from fairvec.core.format import format_number
from fairvec.core.io.read_files import read_text
from fairvec.core.settings import PositiveInt
from fairvec.core.tables import table_of
from fairvec.embedding import LOAD_DEFAULTS, LoadOptions
from fairvec.geometry import SIMILARITIES
from fairvec.messages.figures import format_similarity, similarity_heading
from fairvec.metrics.utility.analogy import METHODS


def words_of_file(file: Path) -> list[str]:
    """Return the words of a text file, one a line."""
    text = read_text(file, "word", FileFormatError)
    return [word for word in text.replace("\r", "\n").split("\n") if word]


_SIMILARITY = ", ".join(each.name for each in SIMILARITIES)


def neighbours(
    model: options.Model,
    words: Annotated[list[str], Argument(help="Words whose neighbours are wanted.")],
    count: Annotated[PositiveInt, Option(help="How many of each.")] = 10,
    by: Annotated[
        str | None,
        Option(
            "--similarity",
            help=f"One of: {_SIMILARITY}. Default: cosine in flat space, negative-distance in "
            "the ball. Distances are printed as positive numbers.",
        ),
    ] = None,
    reading: Annotated[LoadOptions, Without("language", "invalid_utf8")] = LOAD_DEFAULTS,
) -> None:
    """Print the nearest words of each word, and how similar or how far they are."""
    with progress_bar(f"reading {model}") as bar, model_first(model, words):
        source = model_source(model, reading, bar)
        near = [find_neighbours(source, word, count, similarity=by) for word in words]
    _print_remarks(near)
    score_name = near[0].similarity
    print_note(f"{near[0].model}, by {similarity_heading(score_name)}")
    rows = [
        (each.key, key, format_similarity(number, score_name, 4))
        for each in near
        for key, number in each
    ]
    print_table(table_of(("word", "neighbour", similarity_heading(score_name)), rows))


def _print_remarks(answers: Iterable[NearestWords]) -> None:
    for remark in dict.fromkeys(remark for each in answers for remark in each.remarks):
        print_note(remark)


_METHODS = ", ".join(METHODS)


def analogy(
    model: options.Model,
    a: Annotated[str, Argument(help="As in: man is to ...")],
    b: Annotated[str, Argument(help="... king as ...")],
    c: Annotated[str, Argument(help="... woman is to what?")],
    method: Annotated[
        str | None,
        Option(
            help=f"One of: {_METHODS}. Default: 3cosadd in flat space, gyro-translation in the "
            "ball."
        ),
    ] = None,
    by: Annotated[
        str | None,
        Option(
            "--similarity", help=f"Of gyro-translation: {_SIMILARITY}. Default: negative-distance."
        ),
    ] = None,
    t: Annotated[
        float | None, Option(help="Of gyro-translation in the ball, from 0 to 1. Default: 0.3.")
    ] = None,
    count: Annotated[PositiveInt, Option(help="How many answers.")] = 10,
    reading: Annotated[LoadOptions, Without("language", "invalid_utf8")] = LOAD_DEFAULTS,
) -> None:
    """Print the words that complete the analogy best; those of the question are left out."""
    with progress_bar(f"reading {model}") as bar, model_first(model, (a, b, c)):
        answers = complete_analogy(
            model_source(model, reading, bar), a, b, c, count, method=method, similarity=by, t=t
        )
    _print_remarks([answers])
    first, second, third = answers.question
    details = "" if answers.t is None else f" with t = {answers.t:g}"
    print_note(f"{answers.model}, by {answers.method}{details}")
    print_note(f"{first} is to {second} as {third} is to:")
    rows = [(key, format_similarity(number, answers.similarity, 4)) for key, number in answers]
    print_table(table_of(("answer", similarity_heading(answers.similarity)), rows))


def biased_analogies(
    model: options.Model,
    among: Annotated[
        list[str] | None,
        Argument(metavar="[X]...", help="Only these words as x, each with its own y."),
    ] = None,
    concept: Annotated[
        str | None,
        Option(
            help="Its first pair is a and b, and its words are left out; a name of 'fairvec "
            "concepts list', or a TOML file of your own. Default: one pair of gender in the "
            "model's language."
        ),
    ] = None,
    count: Annotated[PositiveInt, Option(help="How many analogies.")] = 20,
    manner: Annotated[
        Literal["pairs", "answers"],
        Option(
            help="pairs: any two words that differ as a and b do (Bolukbasi et al. 2016); "
            "answers: what the model answers to a : x :: b : ? (as in Kumar et al. 2020)."
        ),
    ] = "pairs",
    words: Annotated[int, Option(help="Look among so many of the frequent words.")] = 10_000,
    reading: Annotated[LoadOptions, Without("invalid_utf8")] = LOAD_DEFAULTS,
) -> None:
    """Print the analogies by which a model sets two groups apart, the strongest first.

    Words that mean the concept itself (defining, equality and specific words) are left out, so
    what is printed is what the model adds. These are findings about a model, not about people.
    """
    with progress_bar(f"reading {model}") as bar:
        analogies = find_biased_analogies(
            model_source(model, reading, bar),
            concept,
            count=count,
            manner=manner,
            words=words,
            among=among or (),
            language=reading.language,
        )
    for remark in analogies.remarks:
        print_note(remark)
    first, second = analogies.pair
    print_note(f"{analogies.model}: {first} is to x as {second} is to y ({manner})")
    rows = [(one.x, one.y, format_number(one.score, 3)) for one in analogies]
    print_table(table_of((*analogies.pair, "score"), rows))
