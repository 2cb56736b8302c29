"""fairvec concepts: what can be taken out of a model."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from fairvec.cli.console import print_answer, print_table
from fairvec.cli.lists import Waived, print_findings, write_new_file
from fairvec.core.format import pluralize
from fairvec.core.io.read_files import is_pipe
from fairvec.languages.words import Word
from fairvec.lexicon import (
    Concept,
    Definition,
    lint_concept,
    new_concept,
    read_concepts,
    shipped_concepts,
)
from fairvec.lexicon import concept as concept_named

app = typer.Typer(
    help="Concepts that can be taken out: list, show, lint, or write your own.",
    no_args_is_help=True,
)


@app.command("list")
def list_concepts() -> None:
    """List the concepts: their variants (the default first), directions to keep and source."""
    columns = ("id", "title", "variants", "directions to keep", "specific words", "source")
    table = Table(*columns, box=None, header_style="bold")
    for concept in shipped_concepts():
        table.add_row(
            concept.id,
            concept.title,
            ", ".join(f"{name} ({_size(each)})" for name, each in _variants(concept)),
            ", ".join(f"{name} ({_size(each)})" for name, each in concept.keep.items()),
            str(len(concept.specific) or ""),
            _authors(concept.source),
        )
    print_table(table)


@app.command()
def show(
    concept: Annotated[
        str,
        typer.Argument(
            help="A concept or a TOML file of your own, or one variant: hi/gender:pairs."
        ),
    ],
) -> None:
    """Print a concept: its source, the words of its variants, and what is kept."""
    chosen = concept_named(concept)
    one = concept.endswith(f":{chosen.variant}")
    print_answer(f"{chosen.id} {chosen.version} ({chosen.language}): {chosen.title}")
    if chosen.sensitive:
        print_answer(f"sensitive: {chosen.sensitive_reason}")
    print_answer(f"source: {chosen.source}\nlicence: {chosen.licence}")
    if chosen.notes:
        print_answer(f"notes: {chosen.notes.strip()}")
    for name, each in _variants(chosen):
        if not one or name == chosen.variant:
            note = ", the default" if name == chosen.default else ""
            print_answer(_words(f"\n{chosen.id}:{name}{note}", each))
    for name, each in chosen.keep.items():
        print_answer(_words(f"\ndirection to keep: {name}", each))
    if chosen.equalise:
        print_answer(f"\nshall differ in nothing else: {len(chosen.equalise)}")
        print_answer(f"  {_aligned(chosen.equalise)}")
    if chosen.specific:
        print_answer(f"\nspecific words, which stay: {len(chosen.specific)}")
        print_answer(f"  {', '.join(map(_word, chosen.specific))}")


@app.command()
def lint(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[CONCEPTS]...", help="Concepts or TOML files; default: all."),
    ] = None,
    waived: Waived = False,
) -> None:
    """Look for mistakes in concepts; exit with 1 if a finding is not waived with a reason."""
    chosen = [each for name in names for each in _all_in(name)] if names else shipped_concepts()
    findings = [(concept.id, finding) for concept in chosen for finding in lint_concept(concept)]
    raise typer.Exit(
        int(print_findings(findings, pluralize(len(chosen), "concept"), waived=waived))
    )


@app.command()
def new(
    file: Annotated[Path, typer.Argument(help="The TOML file to write, e.g. my-gender.toml.")],
    language: Annotated[str, typer.Option(help="ISO 639-1 code of the words.")] = "en",
) -> None:
    """Write a commented concept file to fill in with your own words."""
    lint = f"  fairvec concepts lint {file}"
    debias = f"  fairvec debias MODEL --concept {file} -o NEW-MODEL"
    write_new_file(file, "concept", lambda: new_concept(file.stem, language), lint, debias)


def _all_in(name: str) -> tuple[Concept, ...]:
    return (
        read_concepts(name) if name.endswith(".toml") or is_pipe(name) else (concept_named(name),)
    )


def _variants(concept: Concept) -> list[tuple[str, Definition]]:
    """Return the variants by name, the default first."""
    return sorted(concept.variants.items(), key=lambda item: item[0] != concept.default)


def _size(definition: Definition) -> str:
    if definition.words:
        return pluralize(len(definition.words), "word")
    return pluralize(
        len(definition.pairs or definition.sets), "pair" if definition.pairs else "set"
    )


def _words(heading: str, definition: Definition) -> str:
    title = f": {definition.title}" if definition.title else ""
    aligned = definition.pairs or definition.sets
    words = _aligned(aligned) if aligned else ", ".join(map(_word, definition.words))
    return f"{heading}{title}, {_size(definition)}\n  {words}"


def _aligned(sets: Iterable[tuple[Word, ...]]) -> str:
    return ", ".join(" - ".join(map(_word, each)) for each in sets)


def _word(word: Word) -> str:
    return word.word + (f" ({word.transliteration}, {word.gloss})" if word.gloss else "")


def _authors(source: str) -> str:
    """Return Bolukbasi et al. 2016: who, and when if that is known."""
    dated = re.match(r"([^(]+) \((\d{4})\)", source)
    people, year = dated.groups() if dated else (source.split(". ")[0], "")
    surnames = [name.split()[-1] for name in re.split(", | and ", people)]
    who = f"{surnames[0]} et al." if len(surnames) > 2 else " and ".join(surnames)
    return f"{who} {year}".rstrip()
