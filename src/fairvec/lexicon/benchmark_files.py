"""Reading a benchmark: one of the catalogue by its name, or a file of the user's own."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from fairvec.catalogue import dataset, dataset_path, datasets, has_dataset
from fairvec.errors import SettingError
from fairvec.files import Progress
from fairvec.lexicon.benchmark_parsers import parse_analogies, parse_sembias, parse_similarity
from fairvec.lexicon.benchmarks import (
    AnalogySet,
    BenchmarkSet,
    SectionKind,
    SemBiasSet,
    SimilaritySet,
)
from fairvec.lexicon.toml_file import read_toml as read_text

BenchmarkKind = Literal["similarity", "analogy", "sembias"]


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
    kind: BenchmarkKind,
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

    `sections` says which sections of an analogy set are semantic and which syntactic, `held_out`
    how many of the last rows of a SemBias set no training list has words of.
    """
    text, where = read_text(path, "benchmark"), str(path)
    name = name or Path(path).stem
    about = (name, title or name, language, source or where, licence)
    match kind:
        case "similarity":
            return SimilaritySet(*about, parse_similarity(text, where))
        case "analogy":
            return AnalogySet(*about, parse_analogies(text, where, sections or {}))
        case "sembias":
            rows = parse_sembias(text, where)
            if not 0 <= held_out <= len(rows):
                raise SettingError(
                    f"{where}: {held_out} rows cannot be held out of {len(rows)}; give fewer."
                )
            return SemBiasSet(*about, rows, held_out)
