"""Model folders with hostile JSON, tokenizers and numbers."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from fairvec.core.errors import EncoderError, FairvecError, FileFormatError, SettingError
from fairvec.core.io.safetensors import write_tensors
from fairvec.encoders.base import WordPieces
from fairvec.encoders.contexts import ContextStore, FoundContexts
from fairvec.encoders.elmo.model import ElmoOptions
from fairvec.encoders.elmo.network import read_weights
from fairvec.encoders.model_folder import (
    refuse_odd_tokenizer,
    require_file,
    require_folder,
    tokenizer_errors,
)
from fairvec.encoders.open import open_encoder
from fairvec.encoders.store import VectorStore
from fairvec.languages.sentences import Sentence
from tests.encoders.elmo.toys import toy_arrays, toy_options
from tests.loops import loop_over

# --- Folders whose JSON says what no honest one does, and kept files that somebody changed ---


ODD: list[Any] = [
    *(None, True, -1, 0, 10**18, 10**400, 0.5, float("nan"), float("inf"), "", "\x1b[2J"),
    *([], [[]], [1], {}, {"text": 5}, {"": []}, [{"a": 1}], "9" * 400),
]
BERT = {
    "model_type": "bert",
    "hidden_size": 8,
    "num_hidden_layers": 2,
    "max_position_embeddings": 40,
    "architectures": ["BertModel"],
    "auto_map": {},
    "is_encoder_decoder": False,
    "pad_token_id": 1,
}
ROBERTA = BERT | {"model_type": "roberta"}
CALLING = {"max_seq_length": 20, "do_lower_case": True, "modality_config": None}
MODULES = [
    {"type": f"sentence_transformers.models.{kind}", "path": path}
    for kind, path in (("Transformer", ""), ("Pooling", "1"), ("Dense", "2"))
]
POOLING = {"pooling_mode": "mean", "include_prompt": True, "pooling_mode_cls_token": False}
DENSE = {"out_features": 4, "activation_function": "torch.nn.modules.activation.Tanh"}
ABOUT = {"model_type": "SentenceTransformer", "default_prompt_name": "q", "prompts": {"q": "ask: "}}
TOKENIZER = {"model_max_length": 30}
STATIC = {"model_type": "model2vec", "max_length": 512, "normalize": True, "architectures": []}
FOLDERS: dict[str, dict[str, Any]] = {
    "bert": {"config.json": BERT, "tokenizer_config.json": TOKENIZER},
    "roberta": {"config.json": ROBERTA, "tokenizer_config.json": TOKENIZER},
    "model2vec": {"config.json": STATIC},
    "sentences": {
        "config.json": BERT,
        "modules.json": MODULES,
        "sentence_bert_config.json": CALLING,
        "config_sentence_transformers.json": ABOUT,
        "1/config.json": POOLING,
        "2/config.json": DENSE,
    },
}
PLACES = [
    (kind, file, name)
    for kind, files in FOLDERS.items()
    for file, said in files.items()
    if isinstance(said, dict)
    for name in said
]


def made(folder: Path, kind: str, file: str = "", name: str = "", value: Any = None) -> Path:
    """Write a folder of JSON with nothing behind it, one value of it changed."""
    for inner, message in FOLDERS[kind].items():
        path = folder / inner
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(message | {name: value} if inner == file else message))
    for inner in ("", "2"):
        (folder / inner).mkdir(parents=True, exist_ok=True)
        write_tensors(folder / inner / "model.safetensors", {"x": np.zeros(2, np.float32)}, {})
    (folder / "tokenizer.json").write_text("{}")
    return folder


def looked_at(folder: Path) -> None:
    encoder = open_encoder(folder, keep=False)
    assert encoder.model.content_hash
    dict(encoder.model.settings)


@pytest.mark.parametrize("kind", FOLDERS)
def test_the_folder_is_one_that_opens(tmp_path: Path, kind: str) -> None:
    looked_at(made(tmp_path / "m", kind))


@pytest.mark.parametrize(("kind", "file", "name"), PLACES)
def test_no_value_of_a_setting_is_more_than_an_error(
    tmp_path: Path, kind: str, file: str, name: str
) -> None:
    messages = []
    for place, value in enumerate(ODD):
        if name == "model_type" and isinstance(value, str):
            continue  # another kind of model, of which nothing else here is true
        folder = made(tmp_path / str(place), kind, file, name, value)
        try:
            looked_at(folder)
        except FairvecError as error:
            messages.append(str(error).replace(str(folder), ""))
    assert max(map(len, messages), default=0) < 1000


@loop_over(
    "text",
    ["[" * 100_000, "9" * 5000, '{"a": 1, "a": 2}', r'{"prompts": "\ud800"}', "\ufeff{", ""],
)
@loop_over("file", ["config.json", "modules.json", "1/config.json"])
def test_json_that_is_none_is_an_error(tmp_path: Path, file: str, text: str) -> None:
    folder = made(tmp_path / "m", "sentences")
    (folder / file).write_text(text, encoding="utf-8")
    with pytest.raises(FairvecError):
        looked_at(folder)


@pytest.mark.parametrize("modules", [5, "abc", None, [5], [[]], {"a": 1}, [{"type": 1}], [{}]])
def test_modules_that_are_no_list_of_modules_are_an_error(tmp_path: Path, modules: Any) -> None:
    folder = made(tmp_path / "m", "sentences")
    (folder / "modules.json").write_text(json.dumps(modules))
    with pytest.raises(FairvecError):
        looked_at(folder)


@pytest.mark.parametrize("which", range(len(MODULES)))
@pytest.mark.parametrize("path", ["9" * 5000, "9" * 300, "a\0b", "a/" * 3000], ids=range(4))
def test_a_module_in_a_folder_that_no_disk_can_hold_is_an_error(
    tmp_path: Path, which: int, path: str
) -> None:
    folder = made(tmp_path / "m", "sentences")
    modules = json.loads((folder / "modules.json").read_text())
    modules[which]["path"] = path
    (folder / "modules.json").write_text(json.dumps(modules))
    with pytest.raises(FileFormatError, match="which cannot be read") as caught:
        looked_at(folder)
    assert len(str(caught.value).replace(str(folder), "")) < 300


@pytest.mark.parametrize("limit", ["512", True, [], {}])
def test_a_limit_of_tokens_that_is_no_number_is_refused(tmp_path: Path, limit: Any) -> None:
    folder = made(tmp_path / "m", "bert", "tokenizer_config.json", "model_max_length", limit)
    with pytest.raises(FileFormatError, match="as model_max_length, where a number should stand"):
        looked_at(folder)


def test_weights_that_were_never_written_are_not_read_as_zeros(tmp_path: Path) -> None:
    wide = toy_options(lstm__dim=16_384, lstm__projection_dim=16_384)
    options = ElmoOptions.model_validate_json(json.dumps(wide))
    path = tmp_path / "weights.hdf5"
    with h5py.File(path, "w") as file:
        file.create_dataset("char_embed", (261, 3), dtype="f4")
    with pytest.raises(FileFormatError, match="the arrays that its options promise"):
        read_weights(path, options)


@pytest.mark.parametrize("how", ["link", "external"])
def test_weights_in_another_file_are_not_opened(tmp_path: Path, how: str) -> None:
    message = toy_options()
    options = ElmoOptions.model_validate_json(json.dumps(message))
    arrays = toy_arrays(message)
    path, other = tmp_path / "weights.hdf5", tmp_path / "other.hdf5"
    with h5py.File(other, "w") as file:
        file["char_embed"] = arrays["char_embed"]
    with h5py.File(path, "w") as file:
        for name, array in arrays.items():
            if name != "char_embed":
                file[name] = array
        if how == "link":
            file["char_embed"] = h5py.ExternalLink(str(other), "char_embed")
        else:
            (tmp_path / "raw").write_bytes(bytes(261 * 3 * 4))
            file.create_dataset(
                "char_embed", (261, 3), "f4", external=[(str(tmp_path / "raw"), 0, 261 * 3 * 4)]
            )
    with pytest.raises(FileFormatError, match="lies in another file"):
        read_weights(path, options)


@pytest.mark.parametrize(
    "change", ["pieces = 'x'", "unknown = -1", "unknown = 99", "pieces = NULL", "unknown = x'00'"]
)
def test_kept_pieces_that_cannot_be_are_reported(tmp_path: Path, change: str) -> None:
    store = VectorStore(tmp_path / "kept.sqlite")
    store.keep_pieces({"a": WordPieces(2, 1)})
    assert store.pieces(["a"]) == {"a": WordPieces(2, 1)}
    with closing(sqlite3.connect(store.path)) as database, database:
        database.execute(f"UPDATE pieces SET {change}")
    with pytest.raises(EncoderError, match="delete the file"):
        store.pieces(["a"])


@pytest.mark.parametrize(
    "change",
    [
        "found = 'x'",
        "too_long = NULL",
        "sentences = '5'",
        "sentences = '[[1, 2, 3]]'",
        """sentences = '[["a", "b"]]'""",
        """sentences = '["abc"]'""",
        f"sentences = '{'[' * 100_000}'",
        "sentences = NULL",
    ],
    ids=range(8),
)
def test_kept_contexts_that_cannot_be_are_reported(tmp_path: Path, change: str) -> None:
    store = ContextStore(tmp_path / "kept.sqlite")
    kept = FoundContexts((Sentence("a ", "king", " b"),), 3, 1)
    store.keep({"k": kept})
    assert store.load(["k"]) == {"k": kept}
    with closing(sqlite3.connect(store.path)) as database, database:
        database.execute(f"UPDATE contexts SET {change}")
    with pytest.raises(EncoderError, match="delete the file"):
        store.load(["k"])


@pytest.mark.parametrize("name", ["x" * 300, "a\0b"], ids=["too long", "a zero byte"])
def test_a_name_that_no_folder_can_have_is_reported(tmp_path: Path, name: str) -> None:
    with pytest.raises(FileFormatError, match="is not a folder"):
        require_folder(tmp_path / name)
    with pytest.raises(FileFormatError, match="has no "):
        require_file(tmp_path / name)


# --- Numbers of tokens that no honest file has are refused before others make rows of them ---


VOCABULARY = {"[UNK]": 0, "a": 1, "b": 2}


def written(folder: Path, vocabulary: Any, added: Any = ()) -> Path:
    path = folder / "tokenizer.json"
    path.write_text(json.dumps({"model": {"vocab": vocabulary}, "added_tokens": added}))
    return path


@loop_over("number", [-1, 2**20, 2**31, 10**30, 1.5, True, None, "1", [1]])
@loop_over("added", [False, True])
def test_a_number_beyond_the_file_is_one_sentence(
    tmp_path: Path, number: Any, *, added: bool
) -> None:
    odd = {"id": number, "content": "c"}
    path = (
        written(tmp_path, VOCABULARY, [odd])
        if added
        else written(tmp_path, VOCABULARY | {"c": number})
    )
    with pytest.raises(FileFormatError, match="gives a token the number") as caught:
        refuse_odd_tokenizer(path)
    assert "\n" not in str(caught.value)


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
    options = {"normalizer": in_turn({"type": "NFKC"}, *common), "post_processor": after}
    path.write_text(json.dumps({"model": {"vocab": VOCABULARY}, **options}))
    refuse_odd_tokenizer(path)


# --- Whatever a tokenizer raises is one sentence, and what ends a process is left alone ---


Panic = type("PanicException", (BaseException,), {"__module__": "pyo3_runtime"})


@pytest.mark.parametrize(
    "error", [ValueError("odd\nthing"), KeyError("x"), Panic("no entry found for key")], ids=repr
)
def test_what_goes_wrong_inside_is_one_sentence(error: BaseException) -> None:
    with pytest.raises(FileFormatError) as caught, tokenizer_errors("here", ": it reads no texts"):
        raise error
    assert str(caught.value).startswith(f"here: it reads no texts ({type(error).__name__}: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, MemoryError, SettingError("no")])
def test_what_ends_a_process_or_is_reported_already_stays(
    error: BaseException | type[BaseException],
) -> None:
    kind = error if isinstance(error, type) else type(error)
    with pytest.raises(kind), tokenizer_errors("here", ""):
        raise error
