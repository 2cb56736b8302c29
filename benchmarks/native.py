"""How fast the native format opens, beside gensim's memory-mapped KeyedVectors.

    python -m benchmarks.native [--words 400000]

Both files were just written, so both come from the page cache; seconds are the best of five.
"""

import argparse
import tempfile
from pathlib import Path

import numpy as np
from gensim.models import KeyedVectors

from benchmarks.timing import best
from fairvec.embedding import from_arrays, load
from fairvec.embedding.formats.native import write_native


def main() -> None:
    """Write both files, open both and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--words", type=int, default=400_000)
    words = parser.parse_args().words
    keys = [f"word{number}" for number in range(words)]
    vectors = np.random.default_rng(0).standard_normal((words, 300), dtype=np.float32)
    with tempfile.TemporaryDirectory() as folder:
        native, gensim = Path(folder) / "model.fairvec", Path(folder) / "model.kv"
        write_native(from_arrays(keys, vectors), native)
        peer = KeyedVectors(300)
        peer.add_vectors(keys, vectors)
        peer.save(str(gensim))
        ours = best(lambda: load(native), runs=5)
        theirs = best(lambda: KeyedVectors.load(str(gensim), mmap="r"), runs=5)
    print(f"{words:,} words x 300, {vectors.nbytes / 1e6:,.0f} MB")
    print(f"fairvec native    {ours:.3f} s (wanted: well under 0.2)")
    print(f"gensim .kv, mmap  {theirs:.3f} s: {theirs / ours:.1f} times ours")


if __name__ == "__main__":
    main()
