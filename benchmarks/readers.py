"""How fast and how lean fairvec reads word2vec files, beside gensim on the same files.

Each reading runs in a process of its own. Seconds are those of the loading call alone; for fairvec
they include importing numba and its compiled loops. Memory is the highest the process reached,
and in brackets what the call added to it, both in sizes of the float32 matrix.

    python benchmarks/readers.py [--words 200000] [--dimensions 300] [--runs 1]
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
import zlib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

DISTINCT_ROWS = 4096
LIMITS = {"text": (20, 2.2), "binary": (3, 1.2)}


def main() -> None:
    """Write the files, measure both readers and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--words", type=int, default=200_000)
    parser.add_argument("--dimensions", type=int, default=300)
    parser.add_argument("--runs", type=int, default=1, help="the fastest of so many counts")
    parser.add_argument("--measure", nargs=2, metavar=("READER", "FILE"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        print(json.dumps(measured(*arguments.measure)))
        return
    with tempfile.TemporaryDirectory() as folder:
        compare(Path(folder), arguments.words, arguments.dimensions, arguments.runs)


def compare(folder: Path, words: int, dimensions: int, runs: int) -> None:
    """Print a line per format and reader."""
    files = written(folder, words, dimensions)
    warm = written(folder / "warm", 10, dimensions)["text"]
    fastest("fairvec", warm, 1)  # compiles the loops, once per installation
    matrix = words * dimensions * 4
    print(f"{words:,} words x {dimensions}: a matrix of {matrix / 1e6:,.0f} MB\n")
    for kind, path in files.items():
        target, roof = LIMITS[kind]
        ours = fastest("fairvec", path, runs)
        show(kind, "fairvec", ours, matrix)
        if find_spec("gensim") is None:
            print(f"{kind:8}gensim is not installed here, so there is nothing to compare with\n")
            continue
        theirs = fastest("gensim", path, runs)
        show(kind, "gensim", theirs, matrix)
        if ours["checksum"] != theirs["checksum"]:
            sys.exit(f"{kind}: the two readers give different numbers")
        ratio = theirs["seconds"] / ours["seconds"]
        print(f"{'':8}{ratio:.1f} times faster (wanted: {target}), memory wanted: {roof}\n")


def show(kind: str, reader: str, found: dict[str, Any], matrix: int) -> None:
    """Print one measurement."""
    peak, added = (
        found["peak"] / matrix,
        (found["peak"] - found["before"]) / matrix,
    )
    print(f"{kind:8}{reader:8}{found['seconds']:8.2f} s   peak {peak:.2f} (+{added:.2f}) matrices")


def written(folder: Path, words: int, dimensions: int) -> dict[str, Path]:
    """Write one embedding as text and as binary; rows repeat, keys do not."""
    folder.mkdir(exist_ok=True)
    rows = np.random.default_rng(0).standard_normal((DISTINCT_ROWS, dimensions)) * 0.3
    raw = [row.tobytes() for row in rows.astype("<f4")]
    text = [" ".join(map(str, row)).encode() for row in rows.astype(np.float32)]
    header = b"%d %d\n" % (words, dimensions)
    files = {"text": folder / "model.vec", "binary": folder / "model.bin"}
    for path, pool in zip(files.values(), (text, raw), strict=True):
        with path.open("wb") as file:
            file.write(header)
            for word in range(words):
                file.write(b"word%d %b\n" % (word, pool[word % DISTINCT_ROWS]))
    return files


def fastest(reader: str, path: Path, runs: int) -> dict[str, Any]:
    """Read a file in so many fresh processes and return the fastest measurement."""
    command = [sys.executable, __file__, "--measure", reader, str(path)]
    found = [
        json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
        for _ in range(runs)
    ]
    return min(found, key=lambda one: float(one["seconds"]))


def measured(reader: str, path: str) -> dict[str, Any]:
    """Read a file in this process and say what it took."""
    if reader == "gensim":
        from gensim.models import KeyedVectors

        before, start = memory("VmRSS"), time.perf_counter()
        vectors = KeyedVectors.load_word2vec_format(path, binary=path.endswith(".bin")).vectors
    else:
        from fairvec.embedding import load

        before, start = memory("VmRSS"), time.perf_counter()
        vectors = load(path).vectors
    seconds, peak = time.perf_counter() - start, memory("VmHWM")
    checksum = zlib.crc32(np.ascontiguousarray(vectors).data)
    return {"seconds": seconds, "before": before, "peak": peak, "checksum": checksum}


def memory(field: str) -> int:
    """Return the bytes this process holds (VmRSS) or has held at most (VmHWM)."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) * 1024
    raise SystemExit("this benchmark reads its memory from /proc, so it runs on Linux only")


if __name__ == "__main__":
    main()
