"""fairvec neighbours: the words that are nearest to others."""

from typing import Annotated

import typer

from fairvec.cli.console import lay_out, say
from fairvec.cli.opening import opened_before
from fairvec.cli.reading_options import reads_a_model
from fairvec.cli.word_columns import WordColumns
from fairvec.cli.words import heading_of, keys_of, nearness, say_if_cut
from fairvec.embedding import AS_FOUND, Reading
from fairvec.evaluation.near_words import near_words
from fairvec.geometry import SIMILARITIES, natural_similarity, similarity

_SIMILARITY = ", ".join(each.name for each in SIMILARITIES)


@reads_a_model(without=("language", "invalid_utf8"))
def neighbours(
    model: Annotated[str, typer.Argument(help="A file, or a name of 'fairvec models list'.")],
    words: Annotated[list[str], typer.Argument(help="Words whose neighbours are wanted.")],
    count: Annotated[int, typer.Option(min=1, help="How many of each.")] = 10,
    by: Annotated[
        str | None,
        typer.Option(
            "--similarity",
            help=f"One of: {_SIMILARITY}. Default: cosine in flat space, negative-distance in "
            "the ball. Distances are printed as positive numbers.",
        ),
    ] = None,
    reading: Reading = AS_FOUND,
) -> None:
    """Print the nearest words of each word, and how similar or how far they are."""
    chosen = None if by is None else similarity(by)
    embedding = opened_before(model, words, reading)
    chosen = chosen or natural_similarity(embedding.geometry)
    found = near_words(embedding, keys_of(words, embedding), count, chosen)
    say_if_cut(embedding)
    say(f"{embedding.name}, by {heading_of(chosen.name)}")
    rows = [
        (each.key, key, nearness(number, chosen.name))
        for each in found
        for key, number in zip(each.near, each.similarities, strict=True)
    ]
    lay_out(WordColumns(("word", "neighbour", heading_of(chosen.name)), rows))
