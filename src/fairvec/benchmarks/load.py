"""Load a benchmark: one of the catalogue by its name, or a file of the user's own."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from fairvec.benchmarks.analogy import ANALOGY, SectionKind
from fairvec.benchmarks.base import BenchmarkKind, BenchmarkSet
from fairvec.benchmarks.retrieval import RETRIEVAL
from fairvec.benchmarks.reviews import REVIEWS, ReviewColumns, ReviewSet
from fairvec.benchmarks.sembias import SEMBIAS
from fairvec.benchmarks.sentence_pairs import SENTENCE_PAIRS
from fairvec.benchmarks.similarity import SIMILARITY
from fairvec.catalogue import dataset, dataset_files, datasets, has_dataset
from fairvec.core.errors import LexiconError, SettingError, UnknownNameError
from fairvec.core.io.atomic_files import Progress
from fairvec.core.io.read_files import is_file, is_pipe, read_text
from fairvec.core.io.text_files import read_lines

BENCHMARK_KINDS: dict[str, BenchmarkKind] = {
    kind.name: kind for kind in (SIMILARITY, ANALOGY, SEMBIAS, REVIEWS, SENTENCE_PAIRS, RETRIEVAL)
}
"""Every kind of benchmark, in the order in which reports show them."""

PACKED = (".gz", ".xz", ".bz2")


def benchmark_kind(name: str) -> BenchmarkKind:
    """Return the kind of this name, or raise UnknownNameError with the nearest ones."""
    if name not in BENCHMARK_KINDS:
        raise UnknownNameError("kind of benchmark", name, BENCHMARK_KINDS)
    return BENCHMARK_KINDS[name]


def benchmark(
    name: str, progress: Progress | None = None, *, columns: ReviewColumns | None = None
) -> BenchmarkSet:
    """Return the benchmark of this name, from FAIRVEC_DATA or the cache, else fetched now.

    For reviews, `columns` overrides the names of columns and classes of the catalogue.
    """
    entry = dataset(name)
    catalogue_columns = ReviewColumns(**entry.columns, labels=entry.labels)
    return read_benchmark(
        dataset_files(name, progress),
        entry.kind,
        entry.language,
        name=name,
        title=entry.title,
        source=entry.origin,
        licence=entry.licence,
        sections=entry.sections,
        held_out=entry.held_out,
        columns=(columns or ReviewColumns()).with_defaults(catalogue_columns),
    )


def load_reviews(
    source: str | Path, language: str = "", *, columns: ReviewColumns | None = None
) -> ReviewSet:
    """Return the reviews in a file, or those of this name of the catalogue.

    `language` is that of a file, which cannot say it itself; the catalogue knows its own.
    """
    if is_file(source) or is_pipe(source):
        reviews = read_benchmark(source, ReviewSet.kind, language or "mul", columns=columns)
    else:
        refuse_absent(source, "review")
        reviews = benchmark(str(source), columns=columns)
    if not isinstance(reviews, ReviewSet):
        raise SettingError(
            f"{source} is no set of reviews but one of {reviews.kind}; name one of kind "
            f"{ReviewSet.kind} ('fairvec benchmarks list') or a file with columns text and label."
        )
    return reviews


def refuse_absent(source: str | Path, what: str) -> None:
    """Raise for a path without a file, which must not be looked up in the catalogue."""
    text = str(source)
    if Path(text).suffix or "/" in text or "\\" in text:
        read_text(text, what, LexiconError)


def benchmarks_for_language(language: str, *, at_hand: bool) -> tuple[str, ...]:
    """Return the names of a language's benchmarks that are on this machine, or those that are not.

    Kinds that have to be named are not among them: a classifier is trained, and an encoder reads
    thousands of sentences, only when that is asked for.
    """
    return tuple(
        entry.name
        for entry in datasets()
        if entry.language == language
        and benchmark_kind(entry.kind).unnamed
        and has_dataset(entry.name) == at_hand
    )


def needs_vocabulary(name: str) -> bool:
    """Whether a benchmark is for models with a vocabulary, which encoders are not."""
    return benchmark_kind(dataset(name).kind).needs_vocabulary


def kind_of_file(path: str | Path) -> str:
    """Return the kind of a table by the columns that its first line names, or else similarity."""
    first = _read_text(path).lstrip("\r\n").partition("\n")[0]
    names = {cell.strip().strip('"').lower() for cell in re.split("[\t,;]", first)}
    found = (kind.name for kind in BENCHMARK_KINDS.values() if kind.columns)
    return next(
        (name for name in found if names.issuperset(BENCHMARK_KINDS[name].columns)),
        SIMILARITY.name,
    )


def _read_text(path: str | Path) -> str:
    if Path(path).suffix.lower() in PACKED:
        return "".join(read_lines(Path(path)))
    return read_text(path, "benchmark", LexiconError)


def read_benchmark(
    path: str | Path | Sequence[Path],
    kind: str,
    language: str,
    *,
    name: str = "",
    title: str = "",
    source: str = "",
    licence: str = "not stated",
    sections: Mapping[str, SectionKind] | None = None,
    held_out: int = 0,
    columns: ReviewColumns | None = None,
) -> BenchmarkSet:
    """Return the benchmark in the file at `path`; without a name it is called after the file.

    `kind` is one of BENCHMARK_KINDS; a table may lie in several files. `sections` says which
    sections of an analogy set are semantic and which syntactic, `held_out` how many of the last
    rows of a SemBias set no training list has words of, `columns` where a file of reviews has its
    texts and labels.
    """
    reader = benchmark_kind(kind)
    paths = [path] if isinstance(path, str | Path) else path
    text, where = "\n".join(map(_read_text, paths)), str(paths[0])
    name = name or Path(where).stem
    about = (name, title or name, language, source or where, licence)
    return reader.read(
        about,
        text,
        where,
        sections=sections or {},
        held_out=held_out,
        columns=columns or ReviewColumns(),
    )
