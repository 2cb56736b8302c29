"""fairvec biased-analogies: what a model makes of he is to x as she is to y."""

from typing import Annotated, Literal

import typer

from fairvec.cli.console import lay_out, say
from fairvec.cli.opening import opened
from fairvec.cli.reading_options import reads_a_model
from fairvec.cli.word_columns import WordColumns
from fairvec.cli.words import keys_of
from fairvec.embedding import AS_FOUND, Embedding, Reading
from fairvec.evaluation import languages_of
from fairvec.ground.errors import SettingError
from fairvec.ground.numbers import number
from fairvec.lexicon import Concept, ConceptWords, concepts
from fairvec.lexicon import concept as concept_named
from fairvec.metrics.bias.neighbourhoods.biased_analogies import biased_analogies as analogies_of


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
    embedding = opened(model, reading)
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
        say(f"Sensitive: {chosen.sensitive_reason}")
    say(f"{embedding.name}: {pair[0]} is to x as {pair[1]} is to y ({manner})")
    rows = [(one.x, one.y, number(one.score, 3)) for one in found]
    lay_out(WordColumns((*pair, "score"), rows))


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
    known = {each.id: each for each in concepts()}
    languages = languages_of(embedding) or ("en",)
    ids = (f"{language}/gender" for language in languages)
    found = next((known[one] for one in ids if one in known), None)
    if found is None:
        raise SettingError(
            f"There are no pairs of gender in {', '.join(languages)}, the language of "
            f"{embedding.name}; name a concept with --concept."
        )
    return found.choosing("one-pair")
