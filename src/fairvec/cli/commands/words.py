"""fairvec neighbours, fairvec analogy and fairvec biased-analogies."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import typer

from fairvec.cli.console import WordColumns, print_note, print_table
from fairvec.cli.models import load_model, load_model_first
from fairvec.cli.options import reads_a_model
from fairvec.core.errors import FileFormatError, SettingError
from fairvec.core.format import format_number
from fairvec.core.io.read_files import read_text
from fairvec.embedding import AS_FOUND, Embedding, Reading
from fairvec.experiments.audit.languages import languages_of
from fairvec.experiments.neighbours import keys_of_words, near_words, subset_note
from fairvec.geometry import SIMILARITIES, default_similarity, similarity
from fairvec.lexicon import Concept, ConceptWords, shipped_concepts
from fairvec.lexicon import concept as concept_named
from fairvec.metrics.bias.biased_analogies import biased_analogies as analogies_of
from fairvec.metrics.utility.analogy import METHODS, Analogies

# Words that a user types, looked up in a model, and how words near to them are shown.


def keys_of(words: Iterable[str], embedding: Embedding) -> list[str]:
    """Return the keys of words and say how each was found that is not there as typed.

    A word that has no vector is refused, with near spellings that have one.
    """
    return keys_of_words(words, embedding, print_note)


def say_if_cut(embedding: Embedding) -> None:
    """Say that nearer words may have been left out of a model."""
    if told := subset_note(embedding):
        print_note(told)


def heading_of(score_name: str) -> str:
    """Return what `format_similarity` writes: a negative distance is shown as a distance."""
    return score_name.removeprefix("negative-")


def format_similarity(similarity: float, score_name: str) -> str:
    """Return a similarity as it is shown; of distances the small ones are near."""
    return format_number(abs(similarity) if score_name.startswith("negative-") else similarity, 4)


def words_of_file(file: Path) -> list[str]:
    """Return the words of a text file, one a line."""
    text = read_text(file, "word", FileFormatError)
    return [word for word in text.replace("\r", "\n").split("\n") if word]


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
    embedding = load_model_first(model, words, reading)
    chosen = chosen or default_similarity(embedding.geometry)
    found = near_words(embedding, keys_of(words, embedding), count, chosen)
    say_if_cut(embedding)
    print_note(f"{embedding.name}, by {heading_of(chosen.name)}")
    rows = [
        (each.key, key, format_similarity(number, chosen.name))
        for each in found
        for key, number in zip(each.near, each.similarities, strict=True)
    ]
    print_table(WordColumns(("word", "neighbour", heading_of(chosen.name)), rows))


# fairvec analogy: a is to b as c is to what?


_METHODS = ", ".join(METHODS)


@reads_a_model(without=("language", "invalid_utf8"))
def analogy(
    model: Annotated[str, typer.Argument(help="A file, or a name of 'fairvec models list'.")],
    a: Annotated[str, typer.Argument(help="As in: man is to ...")],
    b: Annotated[str, typer.Argument(help="... king as ...")],
    c: Annotated[str, typer.Argument(help="... woman is to what?")],
    method: Annotated[
        str | None,
        typer.Option(
            help=f"One of: {_METHODS}. Default: 3cosadd in flat space, gyro-translation in the "
            "ball."
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--similarity",
            help=f"Of gyro-translation: {_SIMILARITY}. Default: negative-distance.",
        ),
    ] = None,
    t: Annotated[
        float | None,
        typer.Option(help="Of gyro-translation in the ball, from 0 to 1. Default: 0.3."),
    ] = None,
    count: Annotated[int, typer.Option(min=1, help="How many answers.")] = 10,
    reading: Reading = AS_FOUND,
) -> None:
    """Print the words that complete the analogy best; those of the question are left out."""
    settings: dict[str, Any] = {"similarity": None if by is None else similarity(by)}
    embedding = load_model_first(model, (a, b, c), reading)
    natural = "gyro-translation" if embedding.geometry.curvature else "3cosadd"
    if t is not None:
        settings["t"] = t
    metric = Analogies(method or natural, **settings)  # type: ignore[arg-type]
    if t is not None and not (metric.method == natural == "gyro-translation"):
        where = "in flat space" if natural == "3cosadd" else f"by {metric.method}"
        raise SettingError(
            f"The setting t has no meaning {where}, only for gyro-translation in the ball; leave "
            "out --t."
        )
    keys = keys_of((a, b, c), embedding)
    question = np.array([[embedding.positions[key] for key in keys]])
    found = metric.best_answers(question, embedding, count)
    say_if_cut(embedding)
    print_note(f"{embedding.name}, by {metric.method}{_details(metric)}")
    print_note(f"{keys[0]} is to {keys[1]} as {keys[2]} is to:")
    rows = [
        (embedding.keys[row], format_similarity(number, metric.score_name))
        for row, number in zip(found.rows[0], found.similarities[0], strict=True)
    ]
    print_table(WordColumns(("answer", heading_of(metric.score_name)), rows))


def _details(metric: Analogies) -> str:
    return f" with t = {metric.t:g}" if metric.method == "gyro-translation" else ""


# fairvec biased-analogies: what a model makes of he is to x as she is to y.


@reads_a_model(without=("invalid_utf8",))
def biased_analogies(
    model: Annotated[str, typer.Argument(help="A file, or a name of 'fairvec models list'.")],
    among: Annotated[
        list[str] | None,
        typer.Argument(metavar="[X]...", help="Only these words as x, each with its own y."),
    ] = None,
    concept: Annotated[
        str | None,
        typer.Option(
            help="Its first pair is a and b, and its words are left out; a name of 'fairvec "
            "concepts list', or a TOML file of your own. Default: one pair of gender in the "
            "model's language."
        ),
    ] = None,
    count: Annotated[int, typer.Option(min=1, help="How many analogies.")] = 20,
    manner: Annotated[
        Literal["pairs", "answers"],
        typer.Option(
            help="pairs: any two words that differ as a and b do (Bolukbasi et al. 2016); "
            "answers: what the model answers to a : x :: b : ? (as in Kumar et al. 2020)."
        ),
    ] = "pairs",
    words: Annotated[int, typer.Option(help="Look among so many of the frequent words.")] = 10_000,
    reading: Reading = AS_FOUND,
) -> None:
    """Print the analogies by which a model sets two groups apart, the strongest first.

    Words that mean the concept itself (defining, equality and specific words) are left out, so
    what is printed is what the model adds. These are findings about a model, not about people.
    """
    named = _with_pairs(concept) if concept else None
    embedding = load_model(model, reading)
    chosen = named or _gender_of(embedding)
    known = ConceptWords(chosen, embedding)
    pair = known.pairs_of(chosen.definition, chosen.name).pairs[0]
    definitions = [word for each in chosen.variants.values() for word in each.entries]
    equal = [word for each in chosen.equalise for word in each]
    meant = known.words([*definitions, *equal, *chosen.specific]).keys
    x = keys_of(among or (), embedding)
    found = analogies_of(
        embedding,
        pair,
        count=max(count, len(x)),
        manner=manner,
        words=words,
        among=x,
        without=meant,
    )
    if chosen.sensitive:
        print_note(f"Sensitive: {chosen.sensitive_reason}")
    print_note(f"{embedding.name}: {pair[0]} is to x as {pair[1]} is to y ({manner})")
    rows = [(one.x, one.y, format_number(one.score, 3)) for one in found]
    print_table(WordColumns((*pair, "score"), rows))


def _with_pairs(name: str) -> Concept:
    """Return a concept that is defined by pairs, or say which variant of it is."""
    chosen = concept_named(name)
    if chosen.definition.pairs:
        return chosen
    asked = name.removesuffix(f":{chosen.variant}")
    others = [f"{asked}:{variant}" for variant, each in chosen.variants.items() if each.pairs]
    raise SettingError(
        f"{chosen.name} is defined by no pairs, so there is nothing to set apart; choose "
        f"{' or '.join(others) or 'another concept'}."
    )


def _gender_of(embedding: Embedding) -> Concept:
    """Return one pair of gender in the model's language; in English where that is not known."""
    known = {each.id: each for each in shipped_concepts()}
    languages = languages_of(embedding) or ("en",)
    ids = (f"{language}/gender" for language in languages)
    found = next((known[one] for one in ids if one in known), None)
    if found is None:
        raise SettingError(
            f"There are no pairs of gender in {', '.join(languages)}, the language of "
            f"{embedding.name}; name a concept with --concept."
        )
    return found.choosing("one-pair")
