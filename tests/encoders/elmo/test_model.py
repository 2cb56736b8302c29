"""ELMo as a text model: folders, weights, tokens."""

import json
import os
import pickle
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path
from shutil import copyfile
from typing import Any

import h5py
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairvec.core.errors import EncoderError, FileFormatError, MissingExtraError, SettingError
from fairvec.encoders import Encoder, TextModel
from fairvec.encoders.base import AS_GIVEN, Choices
from fairvec.encoders.elmo import ElmoModel, model, read_elmo, recognises
from fairvec.encoders.elmo.model import (
    character_ids,
    ids_of_sentence_marks,
    read_options,
    read_sentence,
    tokens_of,
)
from fairvec.encoders.elmo.network import expected_arrays, read_weights
from fairvec.languages.sentences import Sentence
from tests.encoders.elmo.toys import slowly, toy_arrays, toy_elmo, toy_options, write_elmo
from tests.loops import loop_over
from tests.resource_limits import outcome

# --- model ---


SENTENCE = Sentence("this is a ", "queen bee", ".")
TOKENS = ["this", "is", "a", "queen", "bee", "."]


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    return toy_elmo(tmp_path / "toy")


def test_it_is_a_text_model_as_any_other(toy: Path) -> None:
    model: TextModel = read_elmo(toy, AS_GIVEN)
    encoder = Encoder(model, "toy")
    assert encoder.encode([SENTENCE, Sentence.alone("a"), SENTENCE]).shape == (3, 8)
    assert encoder.dimensions == 8
    assert encoder.precision == np.finfo(np.float32).eps
    assert model.settings == {
        "kind": "elmo",
        "layer": "2",
        "pooling": "mean",
        "dtype": "float32",
        "bytes_a_word": 10,
    }


def test_the_tokens_are_pooled_as_chosen(toy: Path) -> None:
    expected = slowly(toy, TOKENS)[-1]
    for choices, rows in (
        (Choices(), expected),
        (Choices(pooling="mean"), expected),
        (Choices(pooling="last"), expected[-1:]),
        (Choices(pooling="word"), expected[3:5]),
    ):
        found = read_elmo(toy, choices).encode([SENTENCE])[0]
        np.testing.assert_allclose(found, rows.mean(axis=0), rtol=1e-4, atol=1e-5)


def test_what_an_elmo_has_not_cannot_be_chosen(toy: Path) -> None:
    with pytest.raises(SettingError, match="toy is an ELMo, which has no cls token"):
        read_elmo(toy, Choices(pooling="cls"))
    with pytest.raises(SettingError, match="float32"):
        read_elmo(toy, Choices(dtype="bfloat16"))
    with pytest.raises(SettingError, match=r"toy has no layer 3: its layers are 0 to 2"):
        read_elmo(toy, Choices("3"))


@pytest.mark.parametrize("text", ["", "  ", "\u200d", "\n"])
@pytest.mark.parametrize("pooling", ["mean", "last", "word"])
def test_a_sentence_without_a_token_is_named(toy: Path, text: str, pooling: str) -> None:
    elmo = read_elmo(toy, Choices(pooling=pooling))  # type: ignore[arg-type]
    with pytest.raises(EncoderError, match=r"toy finds no (word|token) to read in the sentence"):
        elmo.encode([SENTENCE, Sentence.alone(text)])


def test_a_word_that_is_not_in_its_sentence_is_named(toy: Path) -> None:
    with pytest.raises(EncoderError, match="no word to read in the sentence 'a  b'"):
        read_elmo(toy, Choices(pooling="word")).encode([Sentence("a ", "", " b")])


def test_words_too_long_are_cut_and_named(toy: Path) -> None:
    elmo = read_elmo(toy, AS_GIVEN)
    one, other, third = elmo.encode([Sentence.alone(f"abcdefghi{end}") for end in ("j", "jk", "x")])
    np.testing.assert_allclose(one, other, rtol=1e-6)
    assert not np.allclose(one, third)
    assert elmo.cut(["abcdefghij", "abcdefghijk", "राजा", "abcdef-ghijk", "abc राजकुमार"]) == (
        "abcdefghijk",
        "राजा",
        "abc राजकुमार",
    )


def test_no_word_is_unknown(toy: Path) -> None:
    pieces = read_elmo(toy, AS_GIVEN).pieces(["a", "राजा", "son-in-law", "two words", "\u200d"])
    assert [tuple(one) for one in pieces] == [(1, 0), (1, 0), (5, 0), (2, 0), (0, 0)]


def test_equal_hashes_mean_equal_vectors(tmp_path: Path, toy: Path) -> None:
    again = read_elmo(toy_elmo(tmp_path / "again"), AS_GIVEN)
    elmo = read_elmo(toy, AS_GIVEN)
    assert (elmo.content_hash == again.content_hash) == (
        elmo.weights_file.read_bytes() == again.weights_file.read_bytes()
    )
    assert elmo.content_hash == read_elmo(toy, Choices("2", "mean", "float32")).content_hash
    others = [read_elmo(toy, choices) for choices in (Choices("1"), Choices(pooling="last"))]
    others.append(read_elmo(toy_elmo(tmp_path / "other", lstm__cell_clip=0.5), AS_GIVEN))
    assert len({one.content_hash for one in (elmo, *others)}) == 4


def test_one_number_of_the_weights_changes_the_hash(toy: Path) -> None:
    before = read_elmo(toy, AS_GIVEN).content_hash
    weights = toy / "toy_weights.hdf5"
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(content)
    assert read_elmo(toy, AS_GIVEN).content_hash != before


def test_all_but_encoding_needs_neither_torch_nor_h5py(toy: Path) -> None:
    asked = f"""
import sys
from pathlib import Path
from fairvec.encoders.base import AS_GIVEN
from fairvec.encoders.elmo import read_elmo, recognises
assert recognises(Path({str(toy)!r}))
elmo = read_elmo(Path({str(toy)!r}), AS_GIVEN)
elmo.content_hash, elmo.settings, elmo.dimensions, elmo.precision, elmo.pieces(["a"])
print([one for one in ("torch", "h5py") if one in sys.modules])
"""
    answer = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "[]"


@pytest.mark.parametrize("package", ["torch", "h5py"])
def test_a_missing_extra_is_named(toy: Path, monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    for module in ("network", "weights"):
        monkeypatch.delitem(sys.modules, f"fairvec.encoders.elmo.{module}", raising=False)
    monkeypatch.setitem(sys.modules, package, None)
    elmo: ElmoModel = read_elmo(toy, AS_GIVEN)
    with pytest.raises(MissingExtraError, match=r"pip install \"fairvec\[encoders\]\""):
        elmo.encode([SENTENCE])


# --- folder ---


A = [Sentence.alone("a")]
CELL = "RNN_1/RNN/MultiRNNCell/Cell1/LSTMCell"


class Trap:
    """What must never be unpickled."""

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str]]:
        return pytest.fail, ("a pickle was read",)


def test_the_folder_of_an_elmo_is_recognised(toy: Path, tmp_path: Path) -> None:
    assert recognises(toy)
    assert not recognises(tmp_path)
    assert not recognises(tmp_path / "absent")
    assert not recognises(toy / "options.json")
    (tmp_path / "options.json").write_text('{"lstm": {}}')
    assert not recognises(tmp_path)


def test_the_names_under_which_elmos_are_published_are_known(toy: Path) -> None:
    expected = read_elmo(toy, AS_GIVEN).encode(A)
    (toy / "options.json").rename(toy / "elmo_small_options.json")
    (toy / "toy_weights.hdf5").rename(toy / "model.hdf5")
    assert recognises(toy)
    np.testing.assert_array_equal(read_elmo(toy, AS_GIVEN).encode(A), expected)


def test_weights_are_reported_from_other_files_by_name(toy: Path) -> None:
    (toy / "vocab_embedding.hdf5").write_bytes(b"")
    assert read_elmo(toy, AS_GIVEN).weights_file.name == "toy_weights.hdf5"
    (toy / "more_weights.hdf5").write_bytes(b"")
    with pytest.raises(FileFormatError, match=r"there are more_weights.hdf5, toy_weights.hdf5\."):
        read_elmo(toy, AS_GIVEN)


def test_a_missing_file_is_named(toy: Path) -> None:
    (toy / "toy_weights.hdf5").unlink()
    assert recognises(toy)
    with pytest.raises(FileFormatError, match=r"toy: an ELMo needs its weights .* there is none"):
        read_elmo(toy, AS_GIVEN)
    (toy / "options.json").unlink()
    with pytest.raises(FileFormatError, match=r"toy: an ELMo needs one options.json"):
        read_elmo(toy, AS_GIVEN)


@pytest.mark.parametrize("name", ["weights.pkl", "weights.th", "pytorch_model.bin"])
def test_pickled_weights_are_no_weights(toy: Path, name: str) -> None:
    (toy / "toy_weights.hdf5").unlink()
    (toy / name).write_bytes(pickle.dumps(Trap()))
    with pytest.raises(FileFormatError, match="no other format is read"):
        read_elmo(toy, AS_GIVEN)


@pytest.mark.parametrize("content", [pickle.dumps(Trap()), b"", b"\x89HDF\r\n\x1a\n", b"text"])
def test_what_is_not_hdf5_is_named(toy: Path, content: bytes) -> None:
    (toy / "toy_weights.hdf5").write_bytes(content)
    with pytest.raises(FileFormatError, match=r"toy_weights.hdf5: it cannot be read as HDF5"):
        read_elmo(toy, AS_GIVEN).encode(A)


@pytest.mark.parametrize("kept", [0.02, 0.3, 0.6, 0.9])
def test_weights_cut_short_are_named(toy: Path, kept: float) -> None:
    weights = toy / "toy_weights.hdf5"
    content = weights.read_bytes()
    weights.write_bytes(content[: int(kept * len(content))])
    with pytest.raises(FileFormatError, match=r"toy_weights.hdf5: it cannot be read as HDF5"):
        read_elmo(toy, AS_GIVEN).encode(A)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "Invalid JSON"),
        ("{'char_cnn'", "Invalid JSON"),
        ("[]", "should be an object"),
        ('{"lstm": {}}', "char_cnn: Field required"),
        ("\ud800", "this is not UTF-8"),
    ],
)
def test_options_that_are_none_are_named(toy: Path, content: str, message: str) -> None:
    (toy / "options.json").write_bytes(content.encode("utf-8", "surrogatepass"))
    with pytest.raises(FileFormatError, match=message) as caught:
        read_elmo(toy, AS_GIVEN)
    assert "options.json" in str(caught.value)
    assert "\n" not in str(caught.value)


@loop_over(
    ("field", "value"),
    [
        ("lstm__dim", "7"),
        ("lstm__dim", 0),
        ("lstm__dim", 100_000),
        ("lstm__projection_dim", 100_000),
        ("char_cnn__filters", [[1, 100_000]]),
        ("lstm__n_layers", 0),
        ("lstm__n_layers", 10**9),
        ("lstm__projection_dim", -4),
        ("lstm__cell_clip", -1),
        ("lstm__use_skip_connections", "yes"),
        ("char_cnn__activation", "gelu"),
        ("char_cnn__filters", []),
        ("char_cnn__filters", [[2]]),
        ("char_cnn__filters", [[13, 4]]),
        ("char_cnn__n_characters", 300),
        ("char_cnn__max_characters_per_token", 2),
        ("char_cnn__embedding", {}),
    ],
)
def test_options_out_of_range_are_named(toy: Path, field: str, value: object) -> None:
    (toy / "options.json").write_text(json.dumps(toy_options(**{field: value})))
    with pytest.raises(FileFormatError, match=field.partition("__")[0]) as caught:
        read_elmo(toy, AS_GIVEN)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", [*toy_arrays(toy_options())])
def test_every_array_that_is_missing_or_of_another_shape_is_named(
    tmp_path: Path, name: str
) -> None:
    arrays = toy_arrays(toy_options())
    less = {other: array for other, array in arrays.items() if other != name}
    wrong = {**arrays, name: arrays[name][..., :-1]}
    for number, (some, message) in enumerate(((less, "is missing"), (wrong, "of shape"))):
        elmo = read_elmo(write_elmo(tmp_path / str(number), toy_options(), dict(some)), AS_GIVEN)
        with pytest.raises(FileFormatError, match=f"{name} .*{message}"):
            elmo.encode(A)


def test_arrays_that_are_no_numbers_are_named(tmp_path: Path) -> None:
    name = f"{CELL}/B"
    arrays: dict[str, Any] = dict(toy_arrays(toy_options()))
    for number, (array, message) in enumerate(
        [
            (np.zeros(28, "i8"), "holds int64 of shape"),
            (np.array([b"x"] * 28), "holds .S1"),
            (np.full(28, np.nan, "f4"), "NaN or infinity"),
            (np.full(28, 1e300), "NaN or infinity"),
        ]
    ):
        folder = write_elmo(tmp_path / str(number), toy_options(), {**arrays, name: array})
        with pytest.raises(FileFormatError, match=message):
            read_elmo(folder, AS_GIVEN).encode(A)


def test_an_array_in_the_place_of_a_group_is_named(tmp_path: Path) -> None:
    arrays: dict[str, Any] = dict(toy_arrays(toy_options()))
    arrays = {name: array for name, array in arrays.items() if not name.startswith("CNN_proj")}
    folder = write_elmo(tmp_path, toy_options(), {**arrays, "CNN_proj": np.zeros(3)})
    with pytest.raises(FileFormatError, match="CNN_proj/W_proj is missing"):
        read_elmo(folder, AS_GIVEN).encode(A)


def test_other_floating_types_are_read(tmp_path: Path) -> None:
    arrays = toy_arrays(toy_options())
    expected = read_elmo(write_elmo(tmp_path / "f4", toy_options()), AS_GIVEN).encode(A)
    for kind in ("<f8", ">f4"):
        changed = {name: array.astype(kind) for name, array in arrays.items()}
        folder = write_elmo(tmp_path / f"changed-{kind[1:]}", toy_options(), changed)
        np.testing.assert_array_equal(read_elmo(folder, AS_GIVEN).encode(A), expected)


def test_what_else_lies_in_the_file_is_left_alone(toy: Path) -> None:
    expected = read_elmo(toy, AS_GIVEN).encode(A)
    with h5py.File(toy / "toy_weights.hdf5", "a") as file:
        file["global_step"] = 7
    np.testing.assert_array_equal(read_elmo(toy, AS_GIVEN).encode(A), expected)


# --- Weights that lie elsewhere, behind links, or in parts far larger than their arrays ---


NAME = "char_embed"
LINKED = "lies in another file or under another name"


def to_a_pipe(file: h5py.File, beside: Path) -> None:
    """Whoever opens it waits for ever."""
    os.mkfifo(beside)
    del file[NAME]
    file[NAME] = h5py.ExternalLink(str(beside), NAME)


def to_a_file(file: h5py.File, beside: Path) -> None:
    copyfile(file.filename, beside)
    del file["CNN"]
    file["CNN"] = h5py.ExternalLink(str(beside), "CNN")


def to_itself(file: h5py.File, beside: Path) -> None:
    del file[NAME]
    file[NAME] = h5py.SoftLink(f"/{NAME}")


def outside(file: h5py.File, beside: Path) -> None:
    shape = file[NAME].shape
    beside.write_bytes(file[NAME][()].tobytes())
    del file[NAME]
    size = beside.stat().st_size
    file.create_dataset(NAME, shape, "f4", external=[(str(beside), 0, size)])


def virtual(file: h5py.File, beside: Path) -> None:
    copyfile(file.filename, beside)
    layout = h5py.VirtualLayout(file[NAME].shape, "f4")
    layout[:] = h5py.VirtualSource(str(beside), NAME, file[NAME].shape)
    del file[NAME]
    file.create_virtual_dataset(NAME, layout)


def in_a_huge_part(file: h5py.File, beside: Path) -> None:
    shape = file[NAME].shape
    del file[NAME]
    whole = {"maxshape": (None, None), "chunks": (30_000, 30_000), "compression": "gzip"}
    file.create_dataset(NAME, shape, "f4", **whole)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (to_a_pipe, LINKED),
        (to_a_file, LINKED),
        (to_itself, LINKED),
        (outside, "lies in another file, which is not opened"),
        (virtual, "lies in another file, which is not opened"),
        (in_a_huge_part, "asks for 3.6 GB for a part of char_embed"),
    ],
)
def test_only_what_the_file_itself_holds_is_read(
    change: Callable[[h5py.File, Path], None], message: str, tmp_path: Path
) -> None:
    toy_elmo(tmp_path / "elmo")
    (file,) = (tmp_path / "elmo").glob("*.hdf5")
    (said_of_it,) = (tmp_path / "elmo").glob("*options.json")
    options = read_options(said_of_it)
    assert NAME in read_weights(file, options)
    with h5py.File(file, "r+") as opened:
        change(opened, tmp_path / "beside")
    with pytest.raises(FileFormatError, match=message):
        read_weights(file, options)


IMPORTED = """
import torch
from fairvec.languages.sentences import Sentence
from fairvec.encoders.open import open_encoder
torch.set_num_threads(1)
"""
ENCODED = """
encoder = open_encoder({folder!r}, keep=False)
print(encoder.encode([Sentence.alone("a" * 50 + str(n)) for n in range(300)]).shape[0])
"""


def test_wide_filters_of_a_small_file_take_their_time_and_not_the_memory(tmp_path: Path) -> None:
    letters = {"embedding": {"dim": 1}, "n_highway": 0, "max_characters_per_token": 60}
    wide = {f"char_cnn__{name}": value for name, value in letters.items()}
    options = toy_options(**wide, char_cnn__filters=[[1, 16_000]], lstm__projection_dim=1)
    said_of_it = tmp_path / "options.json"
    said_of_it.write_text(json.dumps(options), encoding="utf-8")
    with h5py.File(tmp_path / "toy_weights.hdf5", "w") as file:
        for name, shape, _ in expected_arrays(read_options(said_of_it)):
            file.create_dataset(name, shape, "f4")  # of which no number is written
    # All words at once are a gigabyte.
    encoded = ENCODED.format(folder=str(tmp_path))
    assert outcome(encoded, before=IMPORTED, megabytes=600) == "300"


@given(
    lengths=st.lists(st.integers(1, 50), min_size=1),
    of_token=st.integers(2, 2**25),
    of_sentence=st.integers(8, 2**25),
)
def test_no_more_sentences_are_read_at_once_than_there_is_room_for(
    lengths: list[int], of_token: int, of_sentence: int
) -> None:
    batches = [*model.batches(lengths, of_token, of_sentence)]
    assert sorted(number for batch in batches for number in batch) == [*range(len(lengths))]
    for batch in batches:
        longest = max(lengths[number] for number in batch) + 2
        room = len(batch) * (longest * of_token + of_sentence)
        assert len(batch) == 1 or room <= model.NUMBERS_AT_ONCE
        assert len(batch) == 1 or len(batch) * longest <= model.TOKENS_AT_ONCE


# --- tokens ---


# Scripts that every version of Unicode in use knows alike; some control characters are white
# space to Python and not to BERT's program, which drops them before.
TEXT = st.text(
    st.one_of(
        st.characters(min_codepoint=32, max_codepoint=126),
        st.characters(min_codepoint=0xA0, max_codepoint=0x17F),
        st.characters(min_codepoint=0x410, max_codepoint=0x44F),
        st.characters(min_codepoint=0x905, max_codepoint=0x96F),
        st.sampled_from("\u0301\u0338\u093c\u200c\u200d\t\n\u2003«—’„王।॥🙂"),
    ),
    max_size=20,
)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("यह एक राजा है।", ["यह", "एक", "राजा", "है", "।"]),
        ("He's «here» — $5+x!", ["He", "'", "s", "«", "here", "»", "—", "$", "5", "+", "x", "!"]),
        ("Кофе\u00a0и чай…", ["Кофе", "и", "чай", "…"]),
        ("क\u200d्ष\u200c म", ["क्ष", "म"]),
        ("क़", ["क\u093c"]),
        ("e\u0301t", ["ét"]),
        ("€5 ≠ >\u0338", ["€5", "≠", "≯"]),
        (" \t\u200d\n", []),
        ("", []),
    ],
)
def test_tokens_are_split_at_white_space_and_punctuation(text: str, tokens: list[str]) -> None:
    assert tokens_of(text) == tuple(tokens)


@given(text=TEXT)
def test_bert_splits_alike(text: str) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    joined = unicodedata.normalize("NFC", text.replace("\u200c", "").replace("\u200d", ""))
    split = tokenizers.pre_tokenizers.BertPreTokenizer().pre_tokenize_str(joined)
    assert tokens_of(text) == tuple(token for token, _ in split)


@given(before=TEXT, word=TEXT, after=TEXT)
def test_a_word_between_spaces_is_found_wherever_it_stands(
    before: str, word: str, after: str
) -> None:
    read = read_sentence(Sentence(f"{before} ", f"x{word}", f" {after}"))
    assert read.tokens[read.word] == tokens_of(f"x{word}")
    assert read.tokens == (
        *tokens_of(f"{before} "),
        *tokens_of(f"x{word}"),
        *tokens_of(f" {after}"),
    )


@pytest.mark.parametrize(
    ("sentence", "tokens"),
    [
        (Sentence("", "", ""), ()),
        (Sentence("ab", "", "cd"), ()),
        (Sentence("a ", " \u200d ", " b"), ()),
        (Sentence("«", "King's", "»."), ("King", "'", "s")),
        (Sentence("a ", "two words", "."), ("two", "words")),
        (Sentence("un", "seen", "ly b"), ("unseenly",)),
        (Sentence("a", "\u0301", " b"), ("á",)),
        (Sentence("c a", "\u0301b", ""), ("áb",)),
        (Sentence("राज", "\u200dा", " है"), ("राजा",)),
        (Sentence("(", "e", "\u0301)"), ("é",)),
    ],
)
def test_the_word_of_a_sentence_is_its_tokens(sentence: Sentence, tokens: tuple[str, ...]) -> None:
    read = read_sentence(sentence)
    assert read.tokens[read.word] == tokens


def test_a_word_is_its_bytes_between_two_marks() -> None:
    rows = character_ids(["a", "ह", "", "abcdefgh", "\ud800b"], 8)
    assert rows.tolist() == [
        [258, 97, 259, 260, 260, 260, 260, 260],
        [258, 0xE0, 0xA4, 0xB9, 259, 260, 260, 260],
        [258, 259, 260, 260, 260, 260, 260, 260],
        [258, *b"abcdef", 259],
        [258, 98, 259, 260, 260, 260, 260, 260],
    ]


def test_a_sentence_has_two_marks_of_its_own() -> None:
    assert ids_of_sentence_marks(5).tolist() == [
        [258, 256, 259, 260, 260],
        [258, 257, 259, 260, 260],
    ]


@given(words=st.lists(st.text(max_size=30)), most=st.integers(3, 60))
def test_every_row_has_one_beginning_and_one_end(words: list[str], most: int) -> None:
    rows = character_ids(words, most)
    assert rows.shape == (len(words), most)
    assert ((rows >= 0) & (rows <= 260)).all()
    for mark in (258, 259):
        np.testing.assert_array_equal((rows == mark).sum(axis=1), 1)
