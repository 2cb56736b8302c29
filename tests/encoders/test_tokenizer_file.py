"""Numbers of tokens that no honest file has are refused before others make rows of them."""

import json
from pathlib import Path
from typing import Any

import pytest

from fairvec.core.errors import FileFormatError
from fairvec.encoders.model_folder import refuse_odd_tokenizer

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
        refuse_odd_tokenizer(path)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("vocabulary", [VOCABULARY, [["a", -1.5], ["b", -2.0]], {}, None, 5])
def test_honest_files_and_those_of_other_kinds_pass(tmp_path: Path, vocabulary: Any) -> None:
    refuse_odd_tokenizer(written(tmp_path, vocabulary, [{"id": 3, "content": "[CLS]"}]))


def test_a_large_vocabulary_passes(tmp_path: Path) -> None:
    refuse_odd_tokenizer(written(tmp_path, {f"t{row}": row for row in range(5000)}))


def replace(old: str, new: str, kind: str = "String") -> dict[str, Any]:
    return {"type": "Replace", "pattern": {kind: old}, "content": new}


def in_turn(*steps: Any, typed: bool = True) -> dict[str, Any]:
    return {"normalizers": [*steps]} | ({"type": "Sequence"} if typed else {})


TABLE = {"type": "Precompiled", "precompiled_charsmap": "AAAA"}
TWICE = {"type": "TemplateProcessing", "single": [{"Sequence": {"id": "A", "type_id": 0}}] * 2}
GROWING = {
    "two letters for one": {"normalizer": in_turn(*[replace("a", "aa")] * 40)},
    "without a type": {"normalizer": in_turn(*[replace("a", "aa")] * 40, typed=False)},
    "inside one another": {"normalizer": in_turn(*[in_turn(*[replace("ab", "abab")] * 9)] * 2)},
    "before every letter": {"normalizer": in_turn(*[replace("", "x", "Regex")] * 40)},
    "a long text": {"normalizer": in_turn(*[replace("a", "a" * 400)] * 2)},
    "tables": {"normalizer": in_turn(*[TABLE] * 3)},
    "templates": {"post_processor": {"type": "Sequence", "processors": [TWICE] * 40}},
    "thousands": {"normalizer": in_turn(*[replace("a", "a" * 99)] * 20_000)},
}


@pytest.mark.parametrize("kind", GROWING)
def test_texts_that_would_grow_without_end_are_refused(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps({"model": {"vocab": VOCABULARY}, **GROWING[kind]}))
    with pytest.raises(FileFormatError, match="times as long"):
        refuse_odd_tokenizer(path)


def test_what_tokenizers_do_to_letters_passes(tmp_path: Path) -> None:
    common = [replace("``", '"'), replace(" ", "\u2581"), replace(" {2,}", " ", "Regex"), TABLE]
    ends = [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, *TWICE["single"][:1]]
    after = {"processors": [{"type": "ByteLevel"}, {"type": "TemplateProcessing", "single": ends}]}
    path = tmp_path / "tokenizer.json"
    said = {"normalizer": in_turn({"type": "NFKC"}, *common), "post_processor": after}
    path.write_text(json.dumps({"model": {"vocab": VOCABULARY}, **said}))
    refuse_odd_tokenizer(path)
