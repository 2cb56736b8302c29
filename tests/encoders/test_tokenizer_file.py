"""Numbers of tokens that no honest file has are refused before others make rows of them."""

import json
from pathlib import Path
from typing import Any

import pytest

from fairvec.encoders.tokenizer_file import refuse_odd_numbers
from fairvec.ground.errors import FileFormatError

VOCABULARY = {"[UNK]": 0, "a": 1, "b": 2}


def written(folder: Path, vocabulary: Any, added: Any = ()) -> Path:
    path = folder / "tokenizer.json"
    path.write_text(json.dumps({"model": {"vocab": vocabulary}, "added_tokens": added}))
    return path


@pytest.mark.parametrize("number", [-1, 2**20, 2**31, 10**30, 1.5, True, None, "1", [1]])
@pytest.mark.parametrize("added", [False, True])
def test_a_number_beyond_the_file_is_one_sentence(
    tmp_path: Path, number: Any, *, added: bool
) -> None:
    odd = {"id": number, "content": "c"}
    path = (
        written(tmp_path, VOCABULARY, [odd])
        if added
        else written(tmp_path, VOCABULARY | {"c": number})
    )
    with pytest.raises(FileFormatError, match="gives a token the number") as told:
        refuse_odd_numbers(path)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("vocabulary", [VOCABULARY, [["a", -1.5], ["b", -2.0]], {}, None, 5])
def test_honest_files_and_those_of_other_kinds_pass(tmp_path: Path, vocabulary: Any) -> None:
    refuse_odd_numbers(written(tmp_path, vocabulary, [{"id": 3, "content": "[CLS]"}]))


def test_a_large_vocabulary_passes(tmp_path: Path) -> None:
    refuse_odd_numbers(written(tmp_path, {f"t{row}": row for row in range(5000)}))
