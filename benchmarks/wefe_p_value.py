"""WEFE's p-value on random words; runs in the peers' environment and prints seconds."""

import sys
import time

import numpy as np
from gensim.models import KeyedVectors
from wefe.metrics import WEAT
from wefe.query import Query
from wefe.word_embedding_model import WordEmbeddingModel


def seconds(size: int, iterations: int) -> float:
    """Time WEAT with a p-value on four lists of `size` words."""
    words = [f"word{number}" for number in range(4 * size)]
    vectors = KeyedVectors(100)
    vectors.add_vectors(words, np.random.default_rng(0).normal(size=(4 * size, 100)))
    lists = [words[start : start + size] for start in range(0, 4 * size, size)]
    query = Query(lists[:2], lists[2:], ["X", "Y"], ["A", "B"])
    model = WordEmbeddingModel(vectors, "random")
    start = time.perf_counter()
    WEAT().run_query(query, model, calculate_p_value=True, p_value_iterations=iterations)
    return time.perf_counter() - start


if __name__ == "__main__":
    print(seconds(int(sys.argv[1]), int(sys.argv[2])))
