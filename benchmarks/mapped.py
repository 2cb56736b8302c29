"""How lean work on a mapped model is, and how fast many neighbours are printed.

    python -m benchmarks.mapped [--words 400000]

Each way goes through every vector of a native file that was just written. Memory is the highest
that the process reached beyond what it held before. Where near words are compared once more in
double precision, each row brings its surroundings of the file, so that a thousand rows may bring
several hundred megabytes for a moment. Rows of words are printed beside rich's own table; seconds
are those of the processor, the best of three.
"""

import argparse
import io
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from rich.console import Console, RenderableType

from benchmarks.readers import memory
from benchmarks.timing import best
from fairvec.cli.console import TerminalTable, to_rich
from fairvec.core.tables import table_of
from fairvec.embedding import from_arrays, load, save
from fairvec.embedding.neighbours import neighbours_of
from fairvec.lexicon import concept
from fairvec.metrics.utility.movement import displacement, neighbourhoods
from fairvec.mitigation.methods.projection import LinearProjection
from fairvec.mitigation.out_of_core import lazy_transform

ROWS = 40_000
COLUMNS = 300


def main() -> None:
    """Write a model, measure every way and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--words", type=int, default=400_000)
    words = parser.parse_args().words
    with tempfile.TemporaryDirectory() as folder:
        model = load(written(Path(folder), words))
        change = LinearProjection().fit(model, concept("en/gender"))
        moved = lazy_transform(change, model)
        near = neighbourhoods(model, 100)  # also loads what is compiled
        moved.vectors[:1]
        ways: dict[str, Callable[[], object]] = {
            "hashed": lambda: model.content_hash,
            "neighbours of 100 words": lambda: neighbours_of(model, model.keys[:100], 10),
            "displacement": lambda: displacement(model, moved),
            "lost neighbours": lambda: near.churn(moved, 10, 100),
            "written as word2vec": lambda: save(model, Path(folder) / "model.bin", force=True),
        }
        size = model.vectors.nbytes / 1e6
        print(f"{words:,} words x {COLUMNS}, mapped: {size:,.0f} MB")
        for name, way in ways.items():
            seconds, added = measured(way)
            print(f"{name:25}{seconds:7.2f} s, +{added / 1e6:,.0f} MB")
    rows = [(f"word{row}", f"near{row}", f"{row / ROWS:.4f}") for row in range(ROWS)]
    columns = table_of(("word", "neighbour", "cosine"), rows)
    ours, theirs = (
        best(partial(printed, what), clock=time.process_time)
        for what in (TerminalTable(columns), to_rich(columns))
    )
    print(f"{ROWS:,} rows of words     {ours:7.2f} s, {theirs / ours:.0f} times faster than rich")


def written(folder: Path, words: int) -> Path:
    """Write random vectors of the concept's words and of so many others."""
    pairs = concept("en/gender").definition.pairs
    known = list(dict.fromkeys(word.word for pair in pairs for word in pair))
    keys = [*known, *(f"word{number}" for number in range(words - len(known)))]
    vectors = np.random.default_rng(0).standard_normal((words, COLUMNS), dtype=np.float32)
    return save(from_arrays(keys, vectors), folder / "model.fairvec")


def measured(way: Callable[[], object]) -> tuple[float, int]:
    """Return the seconds of the processor and the bytes that a way takes."""
    Path("/proc/self/clear_refs").write_text("5")  # forgets the highest memory so far
    before, start = memory("VmRSS"), time.process_time()
    way()
    return time.process_time() - start, memory("VmHWM") - before


def printed(what: RenderableType) -> None:
    """Print into nothing, as a pipe is printed to."""
    Console(file=io.StringIO(), width=200, highlight=False, soft_wrap=True).print(what)


if __name__ == "__main__":
    main()
