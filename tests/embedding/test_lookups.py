"""One look-up a language for all embeddings with the same keys."""

from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.cli import main
from fairvec.embedding import Embedding, Lookup, Step, lookup_of

LANGUAGES = st.sampled_from(["en", "hi", "ru", ""])


def embedding(words: int) -> Embedding:
    return Embedding([f"word{number}" for number in range(words)], np.ones((words, 2)))


@given(st.integers(1, 9), st.lists(LANGUAGES, max_size=6), st.lists(LANGUAGES, min_size=1))
def test_whatever_has_the_same_keys_has_the_same_look_ups(
    words: int, earlier: list[str], later: list[str]
) -> None:
    first = embedding(words)
    for language in earlier:
        lookup_of(first, language)
    moved = first.moved_to(2 * first.vectors, Step("doubled")).named("other").speaking("en")
    with mock.patch.object(Lookup, "_find_entry", return_value=None) as searched:
        for language in later:
            assert lookup_of(moved, language) is lookup_of(first, language)
            assert lookup_of(moved, language).language == language
            assert lookup_of(first, language) is not lookup_of(embedding(words), language)
            lookup_of(moved, language).find(["elsewhere"], "NOUN")
            lookup_of(first, language).find(("elsewhere",), "NOUN")
    assert searched.call_count == len(set(later))


def test_one_debiasing_indexes_the_keys_of_a_model_once_a_language(tmp_path: Path) -> None:
    made: list[tuple[dict[str, int], str]] = []
    build = Lookup.__init__

    def counted(self: Lookup, keys: dict[str, int], language: str = "") -> None:
        made.append((keys, language))  # kept, so that no other dict takes its id
        build(self, keys, language)

    command = ["debias", "glove-en-small", "--concept", "en/gender", "--method", "hard"]
    wanted = ["--suite", "caliskan2017/weat-6", "-o", str(tmp_path / "new.fairvec")]
    with (
        mock.patch.object(Lookup, "__init__", counted),
        mock.patch("sys.argv", ["fairvec", *command, *wanted]),
        pytest.raises(SystemExit, match="0"),
    ):
        main()
    distinct = {(id(keys), language) for keys, language in made}
    assert made
    assert len(made) == len(distinct)
