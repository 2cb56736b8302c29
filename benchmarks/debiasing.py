"""How fast and how lean hard debiasing is, beside WEFE's on the same vectors.

    python -m benchmarks.debiasing [--words 400000] [--dimensions 300]

Each way runs in a process of its own, from fitting to the last row; ours is the best of ten, once
numba and the compiled loop are loaded. Memory is the highest that the process reached during its
first run beyond what it held before (libraries, and for an array the model and the array; keys
count with the file), in sizes of the float32 matrix.
"""

import argparse
import gc
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import peers
from benchmarks.readers import memory
from fairvec.embedding import Embedding, load, save
from fairvec.lexicon import Concept, concept
from fairvec.mitigation.methods.hard import HardDebiasing
from fairvec.mitigation.moves import Projection
from fairvec.mitigation.out_of_core import debias_file

TARGET, ROOF = 50, 0.05
RUNS = 10
COMPARED = 1000


def main() -> None:
    """Write the vectors, measure every way and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--words", type=int, default=400_000)
    parser.add_argument("--dimensions", type=int, default=300)
    parser.add_argument("--measure", nargs=2, metavar=("WAY", "FOLDER"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        way, folder = arguments.measure
        print(json.dumps(WAYS[way](Path(folder))))
        return
    with tempfile.TemporaryDirectory() as folder:
        compare(Path(folder), arguments.words, arguments.dimensions)


def compare(folder: Path, words: int, dimensions: int) -> None:
    """Print a line for each way."""
    written(folder, words, dimensions)
    matrix = words * dimensions * 4
    print(
        f"hard debiasing, {words:,} words x {dimensions}: a matrix of {matrix / 1e6:,.0f} MB",
        flush=True,
    )
    measured("array", folder)  # compiles the loop, once per installation
    measurements = {way: measured(way, folder) for way in WAYS}
    program = str(peers.ROOT / "benchmarks" / "wefe_hard_debias.py")
    peer = json.loads(output([str(peers.python()), program, str(folder)]).splitlines()[-1])
    for way, ours in measurements.items():
        elapsed, added = ours["seconds"], ours["added"] / matrix
        ratios = " and ".join(f"{seconds / elapsed:.0f}" for seconds in peer.values())
        print(f"fairvec, {way:9}{elapsed:7.3f} s, {ratios} times faster, +{added:.3f} matrices")
    for way, seconds in peer.items():
        print(f"WEFE, {way:12}{seconds:7.3f} s")
    print(f"wanted into an array: {TARGET} times faster, less than +{ROOF} matrices")
    print(f"(the compiled loop was loaded before, in {measurements['array']['loading']:.2f} s)")
    rows = np.load(folder / "compared.npy")
    if not np.allclose(
        rows / np.linalg.norm(rows, axis=1)[:, None], fairvec_run(folder), atol=1e-5
    ):
        sys.exit("the two give different vectors")


def gender() -> Concept:
    """Return what is taken out."""
    return concept("en/gender")


def written(folder: Path, words: int, dimensions: int) -> None:
    """Write random vectors of the concept's words and of so many others."""
    chosen = gender()
    defining = [[word.word for word in pair] for pair in chosen.definition.pairs]
    equalise = [[word.word for word in pair] for pair in chosen.equalise]
    pairs = [word for pair in (*defining, *equalise) for word in pair]
    specific = list(dict.fromkeys([*pairs, *(word.word for word in chosen.specific)]))
    keys = [*specific, *(f"word{number}" for number in range(words - len(specific)))]
    vectors = np.random.default_rng(0).standard_normal((words, dimensions), dtype=np.float32)
    concept = {
        "keys": keys,
        "defining": defining,
        "equalise": equalise,
        "specific": specific,
        "compared": keys[-COMPARED:],
    }
    (folder / "words.json").write_text(json.dumps(concept), encoding="utf-8")
    np.save(folder / "vectors.npy", vectors)
    save(Embedding(keys, vectors), folder / "model.fairvec")


def into_an_array(folder: Path) -> dict[str, Any]:
    """Debias into an array that was there before."""
    vectors = np.load(folder / "vectors.npy")
    keys = json.loads((folder / "words.json").read_text(encoding="utf-8"))["keys"]
    model, out = Embedding(keys, vectors), np.zeros_like(vectors)
    return timed(lambda: HardDebiasing().fit(model, gender()).into(model, out))


def file_to_file(folder: Path) -> dict[str, Any]:
    """Open a native file and write a debiased one."""
    source, target = folder / "model.fairvec", folder / "debiased.fairvec"

    def debias() -> None:
        model = load(source)
        transform = HardDebiasing().fit(model, gender())
        debias_file(transform, model, target, max_memory=source.stat().st_size // 2)

    return timed(debias)


WAYS: dict[str, Callable[[Path], dict[str, Any]]] = {"array": into_an_array, "file": file_to_file}


def timed(debias: Callable[[], object]) -> dict[str, Any]:
    """Load the compiled loop, then look at the memory of one run and the seconds of some more."""
    loading = _seconds(load_the_loop)
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")  # forgets the highest memory so far
    before = memory("VmRSS")
    debias()
    added = memory("VmHWM") - before
    return {"loading": loading, "seconds": min(map(_seconds, [debias] * RUNS)), "added": added}


def load_the_loop() -> None:
    """Bring numba and the compiled loop into the process, as the first large model does."""
    from fairvec.mitigation.kernels import project_rows

    few = Embedding(["one"], np.ones((1, 2), np.float32))
    basis, out = np.array([[1.0, 0.0]]), np.empty((1, 2), np.float32)
    project_rows(few.vectors, out, Projection(basis, 1.0), "unit", np.empty(0, np.intp))


def _seconds(debias: Callable[[], object]) -> float:
    start = time.perf_counter()
    debias()
    return time.perf_counter() - start


def fairvec_run(folder: Path) -> Any:
    """Return the vectors that debiasing from file to file gave the words to compare."""
    return load(folder / "debiased.fairvec").vectors[-COMPARED:]


def measured(way: str, folder: Path) -> Any:
    """Measure one way in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.debiasing", "--measure", way, str(folder)]
    return json.loads(output(command))


def output(command: list[str]) -> str:
    """Return what a command prints."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main()
