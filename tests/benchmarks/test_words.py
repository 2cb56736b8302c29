import numpy as np

from fairvec.benchmarks import find_words, word_vectors
from fairvec.embedding import Embedding

MODEL = Embedding(
    ["jerusalem", "new", "york", "nothing", "ёж_NOUN"],
    np.array([[1.0, 0], [0, 1], [0, 3], [0, 0], [2, 2]]),
)


def test_words_are_found_by_the_rules_of_the_look_up() -> None:
    found = word_vectors(["Jerusalem", "New York", "nothing", "absent"], MODEL, "en")
    assert {word: vector.tolist() for word, vector in found.items()} == {
        "Jerusalem": [1, 0],
        "New York": [0, 2],
    }


def test_a_part_without_a_vector_leaves_the_entry_without_one() -> None:
    assert word_vectors(["new nothing"], MODEL, "en") == {}


def test_the_language_decides() -> None:
    tagged = Embedding(["ёж_NOUN", "еда_NOUN"], np.eye(2))
    assert find_words(["еж"], tagged, "en") == {}
    assert find_words(["еж"], tagged, "ru")["еж"].key == "ёж_NOUN"
