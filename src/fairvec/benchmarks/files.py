"""Reading a benchmark: one of the catalogue by its name, or a file of the user's own."""

from collections.abc import Mapping
from pathlib import Path

from fairvec.benchmarks.kinds import BenchmarkText, benchmark_kind
from fairvec.benchmarks.sets import BenchmarkSet, SectionKind
from fairvec.catalogue import dataset, dataset_path, datasets, has_dataset
from fairvec.ground.errors import LexiconError
from fairvec.ground.files import Progress, text_of


def benchmark(name: str, progress: Progress | None = None) -> BenchmarkSet:
    """Return the benchmark of this name, from FAIRVEC_DATA or the cache, else fetched now."""
    known = dataset(name)
    return read_benchmark(
        dataset_path(name, progress),
        known.kind,
        known.language,
        name=name,
        title=known.title,
        source=known.origin,
        licence=known.licence,
        sections=known.sections,
        held_out=known.held_out,
    )


def benchmarks_of(language: str, *, at_hand: bool) -> tuple[str, ...]:
    """Name the benchmarks of a language that are on this machine, or else those that are not."""
    return tuple(
        known.name
        for known in datasets()
        if known.language == language and has_dataset(known.name) == at_hand
    )


def read_benchmark(
    path: str | Path,
    kind: str,
    language: str,
    *,
    name: str = "",
    title: str = "",
    source: str = "",
    licence: str = "not stated",
    sections: Mapping[str, SectionKind] | None = None,
    held_out: int = 0,
) -> BenchmarkSet:
    """Return the benchmark in the file at `path`; without a name it is called after the file.

    `kind` is one of BENCHMARK_KINDS. `sections` says which sections of an analogy set are semantic
    and which syntactic, `held_out` how many of the last rows of a SemBias set no training list has
    words of.
    """
    found = benchmark_kind(kind)
    text, where = text_of(path, "benchmark", LexiconError), str(path)
    name = name or Path(path).stem
    about = (name, title or name, language, source or where, licence)
    return found.read(BenchmarkText(about, text, where, sections or {}, held_out))
