"""How fast text is counted and GloVe trained, beside a hash table, Polars, DuckDB and Mittens.

    python -m benchmarks.training [--tokens 2000000] [--words 50000] [--window 5]
                                  [--dense 2000:2000000 16000:500000]

The text is random, its words as frequent as those of a language (Zipf), twenty to a line. Ours
counts all in: finding places, adding up, sorted rows written to files. The hash table, compiled
here too, only adds up. Polars and DuckDB (one thread each) group all pairs of places. Times are the
best of three, once everything is compiled; "a core" is one thread.

Mittens goes through the whole matrix, V x V, in NumPy; ours through the pairs that occur, so that
the ratio is that of the matrix to what is filled. Both take the same counts, of each WORDS:TOKENS
of --dense; Mittens holds eight such matrices (16 GB at 16,000 words).
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from functools import partial
from os import cpu_count
from pathlib import Path
from typing import Any

import numpy as np
from gensim.models import Word2Vec
from numba import njit
from numpy.typing import NDArray

from benchmarks import peers
from benchmarks.timing import best
from fairvec.training.counting.count import count_cooccurrences
from fairvec.training.counting.counts import Cooccurrences, Weighting
from fairvec.training.engines import engine_for
from fairvec.training.glove.tiles import tile_pairs
from fairvec.training.models import Glove, GloveKind, PoincareGlove

TARGET = 50
LINE = 20
GENSIM_TOKENS = 300_000


def main() -> None:
    """Count, train and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tokens", type=int, default=2_000_000)
    parser.add_argument("--words", type=int, default=50_000)
    parser.add_argument("--window", type=int, default=5)
    parser.add_argument(
        "--dense", nargs="*", default=["2000:2000000", "16000:500000"], metavar="WORDS:TOKENS"
    )
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tokens = text(arguments.tokens, arguments.words)
        np.save(folder / "tokens.npy", tokens)
        counted = count(tokens, arguments.words, arguments.window, folder)
        small = [
            dense_counts(place, one, arguments.window, folder)
            for place, one in enumerate(arguments.dense)
        ]
        theirs = peers_on(folder, arguments.window)
        counting_of(theirs, counted.pairs)
        training(counted, folder)
        for place, counts in enumerate(small):
            mittens(theirs[f"Mittens counts-{place}"]["seconds"], counts, folder)
    gensim(tokens)


def text(tokens: int, words: int) -> NDArray[np.int32]:
    """Return words as frequent as in a language, with a mark after each line."""
    share = 1 / np.arange(1, words + 1)
    drawn = np.random.default_rng(0).choice(words, tokens, p=share / share.sum())
    lines = drawn[: tokens // LINE * LINE].reshape(-1, LINE)
    return np.pad(lines, ((0, 0), (0, 1)), constant_values=-1).ravel().astype(np.int32)


def count(tokens: NDArray[np.int32], words: int, window: int, folder: Path) -> Cooccurrences:
    """Count by fairvec and by a hash table, and print both."""
    weighting = Weighting(window)
    found = count_cooccurrences(
        tokens, words, weighting, folder / "counts", engine=engine_for("cpu")
    )
    print(f"counting {len(tokens[tokens >= 0]):,} tokens of {words:,} words, window {window}:")
    for threads in sorted({1, cpu_count() or 1}):
        place = folder / f"counts-{threads}"
        engine = engine_for("cpu", threads=threads)
        counting = partial(count_cooccurrences, tokens, words, weighting, place, engine=engine)
        seconds = best(counting)
        print(f"  fairvec, {threads} threads {seconds:7.2f} s, {found.pairs:,} pairs")
    slots = 1 << (2 * found.pairs).bit_length()

    def hashed() -> Any:
        keys, sums = np.full(slots, -1, np.int64), np.zeros(slots)
        hash_table(tokens, words, 1 / np.arange(1, window + 1), keys, sums)
        return keys, sums

    keys, sums = hashed()
    print(f"  a hash table       {best(hashed):7.2f} s", flush=True)
    total = found.counts.sum() / found.unit
    if (keys >= 0).sum() != found.pairs or not np.isclose(sums.sum(), total):
        sys.exit("fairvec and the hash table do not count alike")
    return found


@njit
def hash_table(tokens: Any, words: int, weights: Any, keys: Any, sums: Any) -> None:
    """Add up all pairs of places in a table with open addresses."""
    mask = len(keys) - 1
    for place in range(len(tokens)):
        one = tokens[place]
        if one < 0:
            continue
        for distance in range(1, len(weights) + 1):
            if place < distance or tokens[place - distance] < 0:
                break
            other = tokens[place - distance]
            for turn in range(2):
                key = np.int64(one) * words + other if turn else np.int64(other) * words + one
                slot = (key * 0x9E3779B97F4A7C1) >> 20 & mask
                while keys[slot] >= 0 and keys[slot] != key:
                    slot = (slot + 1) & mask
                keys[slot] = key
                sums[slot] += weights[distance - 1]


def counting_of(theirs: dict[str, Any], pairs: int) -> None:
    """Print how fast the peers count."""
    for name in ("Polars", "DuckDB"):
        if absent := theirs[name].get("absent"):
            print(f"  {name}: does not run here ({absent})")
            continue
        print(f"  {name:19}{theirs[name]['seconds']:7.2f} s", flush=True)
        if theirs[name]["pairs"] != pairs:
            sys.exit(f"fairvec and {name} do not count alike")


def training(counted: Cooccurrences, folder: Path) -> None:
    """Print how many pairs a second both kinds take, and what that moves."""
    one, other = np.zeros(2**25), np.ones(2**25)
    moved = 2 * one.nbytes / best(lambda: np.copyto(one, other)) / 1e9
    print(f"training on {counted.pairs:,} pairs, 100 dimensions; a copy moves {moved:.1f} GB/s:")
    for kind in (Glove(), PoincareGlove()):
        for threads in sorted({1, cpu_count() or 1}):
            speed = counted.pairs / seconds_an_epoch(kind, counted, folder, threads)
            # Of a word a vector and its sums, of a pair two words, each read and written.
            through = speed * 4 * kind.bytes_a_word
            print(
                f"  {kind.name:15}{threads} threads {speed / 1e6:6.2f}M pairs a second: "
                f"{speed * 12 / 1e9:.2f} GB/s of pairs from memory, {through / 1e9:.1f} GB/s of "
                "vectors through the cache",
                flush=True,
            )


def seconds_an_epoch(kind: GloveKind, counted: Cooccurrences, folder: Path, threads: int) -> float:
    """Return the seconds of one pass through all pairs."""
    engine = engine_for("cpu", threads=threads)
    pairs = tile_pairs(
        counted,
        folder / f"pairs-{kind.name}",
        blocks=engine.blocks(len(counted), counted.pairs, kind),
        largest=kind.x_max,
        power=kind.alpha,
        seed=0,
    )
    trainer = engine.trainer(pairs, kind, kind.start(len(counted), np.random.default_rng(0)))
    order = np.random.default_rng(1)
    trainer.epoch(order)
    return best(lambda: trainer.epoch(order))


def dense_counts(place: int, kind: str, window: int, folder: Path) -> Cooccurrences:
    """Count a text of WORDS:TOKENS, and write the whole matrix for Mittens."""
    words, tokens = (int(number) for number in kind.split(":"))
    found = count_cooccurrences(
        text(tokens, words),
        words,
        Weighting(window),
        folder / f"dense-{place}",
        engine=engine_for("cpu"),
    )
    np.save(folder / f"counts-{place}.npy", dense(found))
    return found


def mittens(theirs: float, counted: Cooccurrences, folder: Path) -> None:
    """Print a pass of Mittens beside one of ours, on one core each and on the same counts."""
    ours = seconds_an_epoch(Glove(), counted, folder / f"small-{len(counted)}", 1)
    filled = counted.pairs / len(counted) ** 2
    print(
        f"GloVe at {len(counted):,} words, {filled:.1%} of the matrix filled, a pass on a core: "
        f"fairvec {ours:.3f} s, Mittens {theirs:.3f} s: {theirs / ours:.1f} times faster (wanted: "
        f"{TARGET})",
        flush=True,
    )


def dense(counted: Cooccurrences) -> NDArray[np.float64]:
    """Return all counts as a matrix."""
    matrix = np.zeros((len(counted), len(counted)))
    rows = np.repeat(np.arange(len(counted)), np.diff(counted.starts))
    matrix[rows, counted.columns] = counted.counts / counted.unit
    return matrix


def gensim(tokens: NDArray[np.int32]) -> None:
    """Print how many tokens a second gensim's models read, in one thread."""
    lines = tokens[: GENSIM_TOKENS // LINE * (LINE + 1)].reshape(-1, LINE + 1)[:, :-1]
    words = [[str(token) for token in line] for line in lines.tolist()]
    for sg, name in ((1, "skip-gram"), (0, "CBOW")):
        model = Word2Vec(vector_size=100, window=5, min_count=1, sg=sg, workers=1, seed=0)
        model.build_vocab(words)
        start = time.perf_counter()
        model.train(words, total_examples=len(words), epochs=1)
        speed = lines.size / (time.perf_counter() - start)
        print(f"gensim's {name}: {speed / 1e6:.2f}M tokens a second a thread")


def peers_on(folder: Path, window: int) -> dict[str, Any]:
    """Return what the peers took, by name."""
    program = str(peers.ROOT / "benchmarks" / "training_peers.py")
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"}
    output = subprocess.run(
        [str(peers.python()), program, str(folder), str(window)],
        check=True,
        capture_output=True,
        text=True,
        env=threads,
    ).stdout
    records = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    return {one["what"]: one for one in records}


if __name__ == "__main__":
    main()
