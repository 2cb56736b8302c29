"""The commands about single words: fairvec neighbours, analogy and biased-analogies."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np

from fairvec.cli import options
from fairvec.cli.console import print_note, print_table
from fairvec.cli.models import load_model, load_model_first
from fairvec.cli.options import Argument, Option, Without
from fairvec.core.errors import FileFormatError, SettingError
from fairvec.core.format import format_number
from fairvec.core.io.read_files import read_text
from fairvec.core.settings import PositiveInt
from fairvec.core.tables import table_of
from fairvec.embedding import LOAD_DEFAULTS, Embedding, LoadOptions
from fairvec.experiments.audit.languages import languages_of
from fairvec.experiments.neighbours import keys_of_words, near_words, subset_note
from fairvec.geometry import SIMILARITIES, default_similarity, similarity
from fairvec.languages.language import DEFAULT_LANGUAGE
from fairvec.lexicon import Concept, ConceptWords, shipped_concepts
from fairvec.lexicon import concept as concept_named
from fairvec.metrics.bias.biased_analogies import biased_analogies as analogies_of
from fairvec.metrics.utility.analogy import METHODS, Analogies


def keys_of(words: Iterable[str], embedding: Embedding) -> list[str]:
    """Return the keys of words, with a note on each that was found under another spelling.

    A word without a vector is refused, with near spellings that have one.
    """
    return keys_of_words(words, embedding, print_note)


def note_if_subset(embedding: Embedding) -> None:
    """Note that a model is a subset, so that nearer words may be missing from it."""
    if note := subset_note(embedding):
        print_note(note)


def heading_of(score_name: str) -> str:
    """Return the heading of a column of `format_similarity`: a negative distance is a distance."""
    return score_name.removeprefix("negative-")


def format_similarity(similarity: float, score_name: str) -> str:
    """Return a similarity as text; a negative distance as the distance."""
    return format_number(abs(similarity) if score_name.startswith("negative-") else similarity, 4)


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
    chosen = None if by is None else similarity(by)
    embedding = load_model_first(model, words, reading)
    chosen = chosen or default_similarity(embedding.geometry)
    near = near_words(embedding, keys_of(words, embedding), count, chosen)
    note_if_subset(embedding)
    print_note(f"{embedding.name}, by {heading_of(chosen.name)}")
    rows = [
        (each.key, key, format_similarity(number, chosen.name))
        for each in near
        for key, number in zip(each.near, each.similarities, strict=True)
    ]
    print_table(table_of(("word", "neighbour", heading_of(chosen.name)), rows))


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
    answers = metric.best_answers(question, embedding, count)
    note_if_subset(embedding)
    print_note(f"{embedding.name}, by {metric.method}{_details(metric)}")
    print_note(f"{keys[0]} is to {keys[1]} as {keys[2]} is to:")
    rows = [
        (embedding.keys[row], format_similarity(number, metric.score_name))
        for row, number in zip(answers.rows[0], answers.similarities[0], strict=True)
    ]
    print_table(table_of(("answer", heading_of(metric.score_name)), rows))


def _details(metric: Analogies) -> str:
    return f" with t = {metric.t:g}" if metric.method == "gyro-translation" else ""


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
    own_concept = _with_pairs(concept) if concept else None
    embedding = load_model(model, reading)
    chosen = own_concept or _gender_of(embedding)
    concept_words = ConceptWords(chosen, embedding)
    pair = concept_words.pairs_of(chosen.definition, chosen.name).pairs[0]
    definitions = [word for each in chosen.variants.values() for word in each.entries]
    equal = [word for each in chosen.equalise for word in each]
    excluded = concept_words.words([*definitions, *equal, *chosen.specific]).keys
    x = keys_of(among or (), embedding)
    analogies = analogies_of(
        embedding,
        pair,
        count=max(count, len(x)),
        manner=manner,
        words=words,
        among=x,
        without=excluded,
    )
    if chosen.sensitive:
        print_note(f"Sensitive: {chosen.sensitive_reason}")
    print_note(f"{embedding.name}: {pair[0]} is to x as {pair[1]} is to y ({manner})")
    rows = [(one.x, one.y, format_number(one.score, 3)) for one in analogies]
    print_table(table_of((*pair, "score"), rows))


def _with_pairs(name: str) -> Concept:
    """Return a concept that is defined by pairs; else refuse it and name a variant that is."""
    chosen = concept_named(name)
    if chosen.definition.pairs:
        return chosen
    base = name.removesuffix(f":{chosen.variant}")
    others = [f"{base}:{variant}" for variant, each in chosen.variants.items() if each.pairs]
    raise SettingError(
        f"{chosen.name} is defined by no pairs, so there is nothing to set apart; choose "
        f"{' or '.join(others) or 'another concept'}."
    )


def _gender_of(embedding: Embedding) -> Concept:
    """Return one pair of gender in the model's language; English if that is unknown."""
    concepts = {each.id: each for each in shipped_concepts()}
    languages = languages_of(embedding) or (DEFAULT_LANGUAGE,)
    ids = (f"{language}/gender" for language in languages)
    concept = next((concepts[one] for one in ids if one in concepts), None)
    if concept is None:
        raise SettingError(
            f"There are no pairs of gender in {', '.join(languages)}, the language of "
            f"{embedding.name}; name a concept with --concept."
        )
    return concept.choosing("one-pair")
