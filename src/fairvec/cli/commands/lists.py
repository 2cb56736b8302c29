"""fairvec models, fairvec suites and fairvec concepts: list, show, fetch, check or write one.

`fairvec suites needs` says how many words a test needs on a model.
"""

import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from fairvec import catalogue
from fairvec.api.lists import list_concepts as concepts_in
from fairvec.api.lists import list_models as models_in
from fairvec.api.lists import list_suites as suites_in
from fairvec.cli import options
from fairvec.cli.console import print_answer, print_note, print_table, progress_bar
from fairvec.cli.lists import Waived, entry_lines, print_findings, write_new_file
from fairvec.cli.models import load_model, model_source
from fairvec.cli.options import Argument, Option, Without
from fairvec.core.errors import DownloadError
from fairvec.core.format import format_number, pluralize
from fairvec.core.io.read_files import is_pipe
from fairvec.core.settings import Share
from fairvec.core.tables import Table, table_of
from fairvec.embedding import LOAD_DEFAULTS, Embedding, LoadOptions, shape_of
from fairvec.languages.language import DEFAULT_LANGUAGE
from fairvec.languages.words import Word, WordSet
from fairvec.lexicon import (
    Concept,
    Definition,
    Suite,
    Test,
    lint_concept,
    lint_suite,
    new_concept,
    new_suite,
    read_concepts,
    resolve,
    select_tests,
    shipped_concepts,
    shipped_suites,
)
from fairvec.lexicon import concept as concept_named

if TYPE_CHECKING:
    from fairvec.results.sample_size import ListSizeCurve, ResampledLists

ModelName = Annotated[str, Argument(help="A name from 'fairvec models list'.")]


def list_models(
    language: Annotated[str | None, Option(help="Only this language, e.g. ru.")] = None,
) -> None:
    """List the catalogue: what it is, under which licence, where it comes from, if it is here."""
    columns = ("name", "language", "words", "dims", "geometry", "source", "here", "licence")
    rows = [
        (
            model.name,
            model.language,
            f"{model.words:,}" if model.words else "?",
            str(model.dimensions),
            model.geometry,
            model.source.kind,
            "yes" if catalogue.is_local(model.name) else "no",
            model.licence,
        )
        for model in models_in(language)
    ]
    print_table(table_of(columns, rows))


def show_model(name: ModelName) -> None:
    """Print all that the catalogue knows of a model: origin, size, checksum, source."""
    for line in entry_lines(catalogue.find(name)):
        print_answer(line)


def get_model(name: ModelName) -> None:
    """Fetch a model into the cache folder (FAIRVEC_HOME) and print its path.

    One that is there already is looked at, and fetched again if it is not what it should be.
    """
    model = catalogue.find(name)
    print_note(f"{model.title}; licence: {model.licence}; {model.origin}")
    with progress_bar(f"fetching {name}") as progress:
        path = catalogue.verified_model_path(
            name, progress=progress, shape_of=shape_of, tell=print_note
        )
    print_answer(str(path))


def model_path(name: ModelName) -> None:
    """Print the path of a model that is already here; exit with 2 if it is not."""
    if not catalogue.is_local(name):
        raise DownloadError(f"{name} is not here yet; fetch it with 'fairvec models get {name}'.")
    print_answer(str(catalogue.local_path(name)))


def _of_needs(name: str) -> Option:
    """Return an option with the help of `fairvec.sample_size`, which listing does not import."""
    return Option(help=options.argument_help("sample_size", name))


def needs(
    test: Annotated[str, Argument(help="One test, as in caliskan2017/weat-6.")],
    model: Annotated[str, Option(help="A file, or a name of 'fairvec models list'.")],
    lists: Annotated[
        list[str] | None,
        Option(
            "--list",
            help="Which lists vary: targets, attributes, x, y, a or b; may be repeated. Default: "
            "targets, then attributes.",
        ),
    ] = None,
    longest: Annotated[int, Field(ge=2, le=5_000), _of_needs("longest")] = 200,
    draws: Annotated[int, Field(ge=40, le=100_000), _of_needs("draws")] = 200,
    power: Annotated[float, _of_needs("power")] = 0.8,
    within: Annotated[float, _of_needs("within")] = 0.2,
    similarity: Annotated[
        str | None, Option(help="As in 'fairvec audit'; default: the geometry's own.")
    ] = None,
    convention: Annotated[str, Option(help="Effect size, as in 'fairvec audit'.")] = ("caliskan"),
    min_coverage: Annotated[Share, _of_needs("min_coverage")] = 0.5,
    seed: options.Seed = 0,
    reading: Annotated[LoadOptions, Without("invalid_utf8")] = LOAD_DEFAULTS,
    as_json: Annotated[bool, Option("--json", help="Print the record as JSON.")] = False,
) -> None:
    """Say how many words a test needs: how certainty grows with the length of its lists.

    Sub-lists are drawn from the lists at hand and share words, so that they agree more than lists
    written anew; new lists are a model, drawn with replacement.
    """
    # Here and not above: listing suites needs no statistics.
    from fairvec.api.measure import sample_size

    with progress_bar("drawing lists") as bar:
        result = sample_size(
            model_source(model, reading, bar),
            test,
            lists=lists or ("targets", "attributes"),
            longest=longest,
            draws=draws,
            power=power,
            within=within,
            similarity=similarity,
            convention=convention,
            min_coverage=min_coverage,
            language=reading.language,
            seed=seed,
            progress=bar,
        )
    if as_json:
        print_answer(result.model_dump_json())
        return
    from fairvec.messages.studies import sample_size_heading  # a list of suites has no results

    if result.test.sensitive:
        print_note(f"Sensitive: {result.test.sensitive}")
    print_answer(sample_size_heading(result))
    for each in result.lists:
        print_table(_needs_table(each))
    print_answer(result.sentence)


def _needs_table(lists: "ListSizeCurve") -> Table:
    """Return a line for each length; a + marks lengths beyond the present lists."""
    names = ", ".join(f"{role} {size}" for role, size in zip(lists.roles, lists.own, strict=True))
    figures = ("significant", "other sign", "d")
    columns = [f"{kind}: {figure}" for kind in ("sub-lists", "new lists") for figure in figures]
    longest = max(lists.own)
    rows = [
        (
            f"{point.words}{'+' if point.words > longest else ''}",
            *_needs_cells(point.sublists),
            *_needs_cells(point.new),
        )
        for point in lists.lengths
    ]
    return table_of((f"words ({names} here)", *columns), rows)


def _needs_cells(lists: "ResampledLists | None") -> tuple[str, str, str]:
    if lists is None:
        return "", "", ""
    has_interval = lists.low is not None and lists.high is not None
    between = (
        f"{format_number(lists.low or 0)} to {format_number(lists.high or 0)}"
        if has_interval
        else ""
    )
    return f"{lists.significant:.0%}", f"{lists.opposite:.0%}", between


def list_suites() -> None:
    """List the shipped suites."""
    rows = [(suite.id, suite.language, str(len(suite.tests)), suite.title) for suite in suites_in()]
    print_table(table_of(("id", "language", "tests", "title"), rows))


def show_suite(
    suite: Annotated[str, Argument(help="Suite, test or language id, or a TOML file.")],
) -> None:
    """Print a suite: its source, its tests and their words."""
    for listed, tests in _by_suite([suite]):
        print_answer(f"{listed.id} {listed.version} ({listed.language}): {listed.title}")
        print_answer(f"source: {listed.source}\nlicence: {listed.licence}")
        if listed.notes:
            print_answer(f"notes: {listed.notes.strip()}")
        for test in tests:
            print_answer(f"\n{test.id} [{test.category}, {test.kind}]: {test.title}")
            print_answer(f"  positive: {test.positive_means}")
            for role, wordset in test.sets.items():
                print_answer(_list_text(role, wordset))


def lint_suites(
    suites: Annotated[
        list[str] | None, Argument(help="Suites or TOML files; default: all shipped.")
    ] = None,
    model: Annotated[
        str | None, Option(help="Also say which words this model does not know.")
    ] = None,
    waived: Waived = False,
) -> None:
    """Look for mistakes in word lists; exit with 1 if a finding is not waived with a reason."""
    chosen = _by_suite(suites or [suite.id for suite in shipped_suites()])
    embedding = load_model(model) if model else None
    findings = [(suite.id, finding) for suite, _ in chosen for finding in lint_suite(suite)]
    unwaived = print_findings(findings, pluralize(len(chosen), "suite"), waived=waived)
    if embedding:
        _print_coverage(chosen, embedding)
    sys.exit(1 if unwaived else 0)


def write_suite(
    file: Annotated[Path, Argument(help="The TOML file to write, e.g. my-lists.toml.")],
    language: Annotated[str, Option(help="ISO 639-1 code of the words.")] = DEFAULT_LANGUAGE,
) -> None:
    """Write a commented suite file to fill in with your own lists."""
    lint = f"  fairvec suites lint {file} --model MODEL"
    audit = f"  fairvec audit MODEL --suite {file}"
    write_new_file(file, "suite", lambda: new_suite(file.stem, language), lint, audit)


def _by_suite(selectors: list[str]) -> list[tuple[Suite, list[Test]]]:
    chosen: dict[str, tuple[Suite, list[Test]]] = {}
    for each in select_tests(selectors):
        chosen.setdefault(each.suite.id, (each.suite, []))[1].append(each.test)
    return list(chosen.values())


def _list_text(role: str, wordset: WordSet) -> str:
    """Return one list as text; a sensitive one begins with its reason."""
    words = ", ".join(
        word.word + (f" ({word.transliteration}, {word.gloss})" if word.gloss else "")
        for word in wordset.words
    )
    context = f"    (sensitive: {wordset.sensitive_reason})\n" if wordset.sensitive else ""
    return (
        f"  {role}: {wordset.title}, {pluralize(len(wordset.words), 'word')}\n{context}    {words}"
    )


def _print_coverage(chosen: list[tuple[Suite, list[Test]]], embedding: Embedding) -> None:
    for _, tests in chosen:
        for test in tests:
            for group in resolve(test, embedding).groups.values():
                missing = ", ".join(missing.word.word for missing in group.missing)
                merged = ", ".join(match.word.word for match in group.merged)
                print_answer(
                    f"{test.id} {group.role} ({group.wordset.title}): "
                    f"{len(group.found)} of {len(group.wordset.words)} found"
                    + (f"; missing: {missing}" if missing else "")
                    + (f"; counted once: {merged}" if merged else "")
                )


def list_concepts() -> None:
    """List the concepts: their variants (the default first), directions to keep and source."""
    columns = ("id", "title", "variants", "directions to keep", "specific words", "source")
    rows = [
        (
            concept.id,
            concept.title,
            ", ".join(f"{name} ({_size(each)})" for name, each in _variants(concept)),
            ", ".join(f"{name} ({_size(each)})" for name, each in concept.keep.items()),
            str(len(concept.specific) or ""),
            _authors(concept.source),
        )
        for concept in concepts_in()
    ]
    print_table(table_of(columns, rows))


def show_concept(
    concept: Annotated[
        str, Argument(help="A concept or a TOML file of your own, or one variant: hi/gender:pairs.")
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
            print_answer(_definition_text(f"\n{chosen.id}:{name}{note}", each))
    for name, each in chosen.keep.items():
        print_answer(_definition_text(f"\ndirection to keep: {name}", each))
    if chosen.equalise:
        print_answer(f"\nshall differ in nothing else: {len(chosen.equalise)}")
        print_answer(f"  {_aligned(chosen.equalise)}")
    if chosen.specific:
        print_answer(f"\nspecific words, which stay: {len(chosen.specific)}")
        print_answer(f"  {', '.join(map(_word, chosen.specific))}")


def lint_concepts(
    names: Annotated[
        list[str] | None,
        Argument(metavar="[CONCEPTS]...", help="Concepts or TOML files; default: all."),
    ] = None,
    waived: Waived = False,
) -> None:
    """Look for mistakes in concepts; exit with 1 if a finding is not waived with a reason."""
    chosen = [each for name in names for each in _all_in(name)] if names else shipped_concepts()
    findings = [(concept.id, finding) for concept in chosen for finding in lint_concept(concept)]
    sys.exit(print_findings(findings, pluralize(len(chosen), "concept"), waived=waived))


def write_concept(
    file: Annotated[Path, Argument(help="The TOML file to write, e.g. my-gender.toml.")],
    language: Annotated[str, Option(help="ISO 639-1 code of the words.")] = DEFAULT_LANGUAGE,
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


def _definition_text(heading: str, definition: Definition) -> str:
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


models = {"list": list_models, "show": show_model, "get": get_model, "path": model_path}
"""The commands below `fairvec models`."""

suites = {
    "list": list_suites,
    "show": show_suite,
    "lint": lint_suites,
    "new": write_suite,
    "needs": needs,
}
"""The commands below `fairvec suites`."""

concepts = {
    "list": list_concepts,
    "show": show_concept,
    "lint": lint_concepts,
    "new": write_concept,
}
"""The commands below `fairvec concepts`."""
