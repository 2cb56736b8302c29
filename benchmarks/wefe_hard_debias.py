"""WEFE's hard debiasing of given vectors; runs in the peers' environment.

    python wefe_hard_debias.py FOLDER

FOLDER holds vectors.npy and words.json. Prints the seconds of fitting and transforming, and leaves
the new vectors of the words to compare in compared.npy.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np
from gensim.models import KeyedVectors
from wefe.debias.hard_debias import HardDebias
from wefe.word_embedding_model import WordEmbeddingModel


def main(folder: Path) -> None:
    """Debias a copy of the model, which is WEFE's default, then the model itself."""
    words = json.loads((folder / "words.json").read_text(encoding="utf-8"))
    vectors = np.load(folder / "vectors.npy")
    keyed = KeyedVectors(vectors.shape[1])
    keyed.add_vectors(words["keys"], vectors)
    model = WordEmbeddingModel(keyed, "random")
    seconds = {}
    for copy in (True, False):
        start = time.perf_counter()
        method = HardDebias().fit(model, words["defining"], words["equalise"])
        debiased = method.transform(model, ignore=words["specific"], copy=copy)
        seconds["copy" if copy else "in place"] = time.perf_counter() - start
    np.save(folder / "compared.npy", np.array([debiased[key] for key in words["compared"]]))
    print(json.dumps(seconds))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
