import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from fairvec.core.errors import EncoderError, MissingExtraError, SettingError
from fairvec.encoders import Encoder, TextModel
from fairvec.encoders.base import AS_GIVEN, Choices
from fairvec.encoders.elmo import ElmoModel, read_elmo
from fairvec.languages.sentences import Sentence
from tests.encoders.elmo.toy_elmo import slowly, toy_elmo

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
        "numbers": "float32",
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
        read_elmo(toy, Choices(numbers="bfloat16"))
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
