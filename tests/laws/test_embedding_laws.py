"""Laws of every file format and of embeddings."""

import importlib.util
import io
import tracemalloc
import unicodedata
import warnings
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import fairvec
from fairvec.core.errors import (
    FairvecError,
    FairvecWarning,
    FileFormatError,
    GeometryError,
    SettingError,
)
from fairvec.core.memory import ALWAYS_BYTES
from fairvec.embedding import Embedding, LoadOptions, lost_by_saving
from fairvec.embedding.formats import FORMATS, writable_formats
from fairvec.embedding.formats.base import COMPRESSIONS_TO_WRITE, Format, WritableFormat
from fairvec.embedding.formats.text import UNENDED
from fairvec.embedding.lookup import Lookup
from fairvec.embedding.saving import format_to_write
from fairvec.geometry import Poincare
from fairvec.languages.language import language as language_named
from fairvec.languages.spelling import edit_distance, normalize
from tests.embedding.crafted_files import fasttext, navec, tar

# --- An honest small file of every registered format ---


KEYS = ["the", "of", "कल", "слово", "new-york", "x"]
VECTORS = np.random.default_rng(7).normal(size=(len(KEYS), 5)).astype(np.float32)


def _written(ending: str) -> Callable[[Path], Path]:
    return lambda folder: fairvec.save(Embedding(KEYS, VECTORS), folder / f"model{ending}")


def _put(name: str, content: bytes) -> Callable[[Path], Path]:
    def put(folder: Path) -> Path:
        (folder / name).write_bytes(content)
        return folder / name

    return put


def _array(folder: Path) -> Path:
    np.save(folder / "model.npy", VECTORS)
    (folder / "model.vocab").write_text("\n".join([*KEYS, ""]), encoding="utf-8")
    return folder / "model.npy"


def _gensim(folder: Path) -> Path:
    models = pytest.importorskip("gensim.models", reason="gensim is not installed")
    vectors: Any = models.KeyedVectors(VECTORS.shape[1])
    vectors.add_vectors(KEYS, VECTORS)
    vectors.save(str(folder / "model.kv"))
    return folder / "model.kv"


def _torch(folder: Path) -> Path:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    buffer = io.BytesIO()
    torch.save({"words": KEYS, "vectors": torch.from_numpy(VECTORS)}, buffer)
    (folder / "model.pt").write_bytes(buffer.getvalue())
    return folder / "model.pt"


def _fasttext(folder: Path) -> Path:
    pytest.importorskip("gensim.models", reason="gensim is not installed")
    return _put("model.bin", fasttext())(folder)


HONEST: dict[str, Callable[[Path], Path]] = {
    **{writer.name: _written(writer.suffixes[0]) for writer in writable_formats()},
    "npy": _array,
    "torch": _torch,
    "gensim": _gensim,
    "navec": _put("model.tar", tar(navec())),
    "fasttext-bin": _fasttext,
}

NAMES = [known.name for known in FORMATS]


# --- What holds of every format: a damaged file is an error, or the model that it was ---


UNCOUNTED = ("csv", "tsv", "glove-text")
"""Formats that do not say how many words they hold."""
PACKED = ("npz", "navec")
"""Formats in which few bytes may honestly stand for many."""
CHECKED = ("npz", "torch")
"""Formats that hold checksums: what they were changed to is never taken for what they were."""
PICKLED = ("gensim", "torch")
"""Formats whose budgets are counted while a pickle is read, and are held where those are tested."""
TIMES, BESIDES = 100, 4_000_000
"""A key of a few bytes is an object of Python and a place in a dict; and what every reader needs
is some blocks and tables."""


@pytest.fixture(params=NAMES)
def honest(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return HONEST[request.param](tmp_path)


@pytest.fixture(params=[name for name in NAMES if name not in PICKLED])
def unpickled(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return HONEST[request.param](tmp_path)


def answer(path: Path) -> Embedding | None:
    """Return the model, None where it is refused; any other exception is a fault."""
    try:
        return fairvec.load(path)
    except FairvecError:
        return None


def same(one: Embedding, other: Embedding) -> bool:
    return (
        list(one.keys) == list(other.keys)
        and np.array_equal(one.vectors, other.vectors)
        and one.geometry == other.geometry
    )


def test_every_format_has_an_honest_file() -> None:
    assert set(HONEST) == set(NAMES)


def test_the_file_is_honest(honest: Path, request: pytest.FixtureRequest) -> None:
    found = fairvec.load(honest)
    name = request.node.callspec.params["honest"]
    assert found.history[-1].details["format"] == name
    assert UNENDED not in found.history[-1].details


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(share=st.floats(0, 1, exclude_max=True))
def test_a_truncated_file_is_refused_or_complete_or_reported(
    honest: Path, share: float, request: pytest.FixtureRequest
) -> None:
    complete = fairvec.load(honest)
    content = honest.read_bytes()
    cut = honest.with_name(f"cut{honest.suffix}")
    cut.write_bytes(content[: int(share * len(content))])
    _add_file(honest, cut)
    found = answer(cut)
    if found is None or same(found, complete) or UNENDED in found.history[-1].details:
        return
    # Without a count of lines, what ends with a line is a whole file of fewer words.
    assert request.node.callspec.params["honest"] in UNCOUNTED
    assert cut.read_bytes().endswith(b"\n")
    assert list(found.keys) == list(complete.keys)[: len(found)]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(share=st.floats(0, 1, exclude_max=True), mask=st.integers(1, 255))
def test_a_file_with_one_byte_changed_is_read_or_refused(
    honest: Path, share: float, mask: int, request: pytest.FixtureRequest
) -> None:
    complete = fairvec.load(honest)
    content = bytearray(honest.read_bytes())
    content[int(share * len(content))] ^= mask
    changed = honest.with_name(f"changed{honest.suffix}")
    changed.write_bytes(content)
    _add_file(honest, changed)
    found = answer(changed)
    assert found is None or np.isfinite(found.rows(found.keys[:1])).all()
    if request.node.callspec.params["honest"] in CHECKED:
        assert found is None or same(found, complete)


@pytest.mark.parametrize("ending", [".zip", ".npz"])
def test_an_archive_with_any_byte_changed_is_refused_or_complete(
    ending: str, tmp_path: Path
) -> None:
    ball = Embedding(KEYS, VECTORS / 10, Poincare(0.5))
    path = tmp_path / f"model{ending}"
    if ending == ".npz":
        fairvec.save(ball, path)
    else:
        inner = fairvec.save(ball, tmp_path / "inner.vec")
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(inner, inner.name)
    complete, content = fairvec.load(path), path.read_bytes()
    for place in range(0, len(content), 3):
        path.write_bytes(content[:place] + bytes([content[place] ^ 0x21]) + content[place + 1 :])
        found = answer(path)
        assert found is None or same(found, complete), place


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    place=st.integers(0, 300),
    forged=st.one_of(st.binary(min_size=1, max_size=8), st.integers(1, 9).map(lambda n: b"9" * n)),
)
def test_no_head_asks_for_more_memory_than_the_file_can_need(
    unpickled: Path, place: int, forged: bytes, request: pytest.FixtureRequest
) -> None:
    name = request.node.callspec.params["unpickled"]
    content = bytearray(unpickled.read_bytes())
    content[place : place + len(forged)] = forged
    changed = unpickled.with_name(f"changed{unpickled.suffix}")
    changed.write_bytes(content)
    _add_file(unpickled, changed)
    answer(unpickled)  # what is imported and compiled once is not the file's
    tracemalloc.start()
    try:
        answer(changed)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak <= TIMES * len(content) + BESIDES + (2 * ALWAYS_BYTES if name in PACKED else 0)


@pytest.mark.parametrize("words", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_a_truncated_word_list_is_refused_or_reported(words: str, tmp_path: Path) -> None:
    path, vocabulary = _array(tmp_path), tmp_path / "model.vocab"
    complete = words.join([*KEYS, ""]).encode()
    for size in range(len(complete)):
        vocabulary.write_bytes(complete[:size])
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", FairvecWarning)
            found = answer(path)
        messages = [str(each.message) for each in caught]
        assert found is None or any(
            "line break of model.vocab is missing" in each for each in messages
        )


@pytest.mark.parametrize("place", range(3))
def test_a_quotation_mark_that_is_not_closed_warns(place: int, tmp_path: Path) -> None:
    lines = ["x,1,2", "y,3,4", "z,5,6"]
    path = tmp_path / "model.csv"
    for mark, doubtful in (('"', True), ("", False)):
        marked = [mark * (row == place) + line for row, line in enumerate(lines)]
        path.write_text("\n".join([*marked, ""]))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", FairvecWarning)
            fairvec.load(path)
        messages = [str(each.message) for each in caught]
        assert any(f"never closed, on line {place + 1}" in each for each in messages) == doubtful


def _add_file(honest: Path, other: Path) -> None:
    """Put the words of a matrix beside its copy."""
    words = honest.with_suffix(".vocab")
    if words.exists():
        other.with_suffix(".vocab").write_bytes(words.read_bytes())


# --- What every writer promises: what it writes is read back bit by bit, or refused aloud ---


ENDINGS = [suffix for writer in writable_formats() for suffix in writer.suffixes]
ENDINGS += [
    writer.suffixes[0] + packing
    for writer in writable_formats()
    if writer.compressible
    for packing in COMPRESSIONS_TO_WRITE
]
ODD = ["", " ", "\t", "\n", "\r", "\0", "a\0", "\ufeffa", "a b", "a 1", "a nan", " a", "a ", "1e5"]
ODD += [
    "\u2028",
    "\x85",
    "\xa0",
    "e\u0301",
    "क्षि",
    "👩\u200d👩\u200d👧",
    "\ud800",
    "3 2",
    "#",
    "\x7f",
]
KEY = st.one_of(st.sampled_from(ODD), st.text(max_size=6), st.text("ab 1.-", max_size=6))
SPECIAL = [0.0, -0.0, 1.0, 1e-45, -1e-45, 1.1754944e-38, 3.4028235e38, 0.1, 1e-5, 33554434.0, 2e16]
FLOAT32 = st.one_of(
    st.sampled_from([float(np.float32(number)) for number in SPECIAL]),
    st.floats(width=32, allow_nan=False, allow_infinity=False),
)


@st.composite
def embeddings(draw: st.DrawFn, key: st.SearchStrategy[str] = KEY) -> Embedding:
    keys = draw(st.lists(key, min_size=1, max_size=5, unique=True))
    columns = draw(st.integers(1, 9))
    return Embedding(keys, draw(arrays(np.float32, (len(keys), columns), elements=FLOAT32)))


def bits(vectors: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> list[list[int]]:
    return np.ascontiguousarray(vectors).view(np.uint32).tolist()  # type: ignore[no-any-return]


@pytest.mark.parametrize("ending", ENDINGS)
@given(embedding=embeddings())
def test_what_is_written_is_read_back_or_refused(ending: str, embedding: Embedding) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"model{ending}"
        try:
            fairvec.save(embedding, path)
        except FileFormatError:
            assert list(Path(folder).iterdir()) == []
            return
        again = fairvec.load(path)
        assert list(again.keys) == list(embedding.keys)
        assert again.vectors.dtype == np.float32
        assert bits(again.vectors) == bits(embedding.vectors)
        assert format_to_write(path).name == again.history[-1].details["format"]


FLOAT64 = st.one_of(
    st.sampled_from(
        [0.0, 1.0, 0.1, 1 - 2.0**-53, 1 + 2.0**-52, 1 / 3, 5e-324, 1e300, 0.5, 123456789.0]
    ),
    st.floats(allow_nan=False, allow_infinity=False),
    FLOAT32,
)


@pytest.mark.parametrize("ending", ENDINGS)
@settings(max_examples=20)
@given(
    rows=st.integers(1, 3),
    columns=st.integers(2, 4),
    numbers=st.lists(FLOAT64, min_size=12, max_size=12),
    zero_rows=st.booleans(),
    words=st.booleans(),
)
def test_no_writer_rounds_a_number_without_a_warning(
    ending: str, rows: int, columns: int, numbers: list[float], zero_rows: bool, words: bool
) -> None:
    vectors = np.array(numbers[: rows * columns]).reshape(rows, columns)
    if zero_rows:
        vectors = np.vstack([np.zeros((2, columns)), vectors])
    keys = [f"w{row}" for row in range(len(vectors))]
    with TemporaryDirectory() as folder, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", FairvecWarning)
        try:
            path = fairvec.save(Embedding(keys, vectors), Path(folder) / f"model{ending}")
        except FairvecError:
            return
        again = fairvec.load(path, words=keys[-1:] if words else None)
        same_numbers = np.array_equal(again.vectors, vectors[-1:] if words else vectors)
        assert same_numbers or any("float64 precision" in str(each.message) for each in caught)
        assert same_numbers or not ending.startswith((".vec", ".txt", ".csv", ".tsv"))


@pytest.mark.parametrize("ending", ENDINGS)
@given(share=st.floats(0.5, 1, exclude_max=True), seed=st.integers(0, 1000))
@settings(max_examples=6)
def test_points_near_the_border_stay_in_the_ball(ending: str, share: float, seed: int) -> None:
    points = np.random.default_rng(seed).normal(size=(4, 3))
    points *= (share / np.linalg.norm(points, axis=1))[:, None]
    ball = Embedding(list("abcd"), points, Poincare())
    if not ball.geometry.contains(points).all():
        return
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"ball{ending}"
        if ending.startswith(".bin"):
            with suppress(GeometryError):
                assert "float64 precision" in lost_by_saving(ball, fairvec.save(ball, path))
            return
        again = fairvec.load(fairvec.save(ball, path), geometry="poincare")
        assert np.array_equal(again.vectors, points)


@pytest.mark.parametrize("ending", ENDINGS)
@settings(max_examples=20)
@given(
    keys=st.lists(st.text("абвxyzक", min_size=1, max_size=4), min_size=1, max_size=5, unique=True),
    seed=st.integers(0, 1000),
)
def test_ordinary_words_are_never_refused(ending: str, keys: list[str], seed: int) -> None:
    vectors = np.random.default_rng(seed).normal(size=(len(keys), 20)).astype(np.float32)
    with TemporaryDirectory() as folder:
        path = fairvec.save(Embedding(keys, vectors), Path(folder) / f"model{ending}")
        again = fairvec.load(path)
        assert list(again.keys) == keys
        assert bits(again.vectors) == bits(vectors)


@pytest.mark.parametrize("known", FORMATS, ids=lambda known: known.name)
def test_names_are_of_one_format_and_options_are_of_loading(known: Format) -> None:
    assert [each.name for each in FORMATS].count(known.name) == 1
    assert known.options <= {field.name for field in fields(LoadOptions)}


@pytest.mark.parametrize("writer", writable_formats(), ids=lambda writer: writer.name)
def test_an_ending_chooses_one_format_to_write(writer: WritableFormat) -> None:
    for suffix in writer.suffixes:
        assert format_to_write(Path(f"model{suffix}")) is writer


@pytest.mark.parametrize("known", FORMATS, ids=lambda known: known.name)
def test_options_that_a_format_does_not_declare_are_refused(known: Format, tmp_path: Path) -> None:
    file = HONEST[known.name](tmp_path)
    options: dict[str, Any] = {"vectors": "aggregated", "vocabulary": file.with_suffix(".words")}
    for option, value in options.items():
        if option not in known.options:
            with pytest.raises(SettingError, match=f"leave out {option}="):
                fairvec.load(file, **{option: value})


@pytest.mark.parametrize("ending", ENDINGS)
def test_equal_embeddings_give_equal_files(ending: str, tmp_path: Path) -> None:
    embedding = Embedding(["a", "b"], np.eye(2, dtype=np.float32))
    first = fairvec.save(embedding, tmp_path / "one" / f"model{ending}")
    second = fairvec.save(embedding, tmp_path / "two" / f"model{ending}")
    assert first.read_bytes() == second.read_bytes()
    assert lost_by_saving(embedding, first) == ()


@pytest.mark.skipif(not importlib.util.find_spec("gensim"), reason="gensim is not installed")
@pytest.mark.parametrize("ending", [".vec", ".bin", ".vec.gz", ".bin.gz"])
@given(embedding=embeddings())
def test_gensim_reads_the_same(ending: str, embedding: Embedding) -> None:
    from gensim.models import KeyedVectors

    with TemporaryDirectory() as folder:
        try:
            path = fairvec.save(embedding, Path(folder) / f"model{ending}")
        except FileFormatError:
            return
        binary = ending.startswith(".bin")
        again = KeyedVectors.load_word2vec_format(str(path), binary=binary)
        assert again.index_to_key == list(embedding.keys)
        assert bits(again.vectors) == bits(embedding.vectors)


# --- What holds for every vocabulary and every word ---


LETTERS = "абеёЕЁйabéB" + "कखजनणमटडतदपबािंँ़्" + "\u0301\u0306\u200c\u200d\u095c"
languages = st.sampled_from(["hi", "ru", "en", ""])
spellings = st.text(LETTERS, min_size=1, max_size=5)
vocabularies = st.lists(spellings, max_size=25, unique=True)


@given(vocabularies, languages)
def test_every_key_finds_itself(keys: list[str], language: str) -> None:
    lookup = Lookup(keys, language)
    for key in keys:
        match = lookup.find([key])
        assert match is not None
        assert (match.key, match.how) == (key, "exact")


@given(vocabularies, spellings, languages)
def test_what_is_found_is_a_key_and_the_same_word(
    keys: list[str], word: str, language: str
) -> None:
    match = Lookup(keys, language).find([word])
    if match is not None:
        fold = language_named(language).spelling.fold
        assert match.key in keys
        assert fold(match.key).casefold() == fold(word).casefold()


@given(vocabularies, spellings, languages)
def test_a_word_spelled_as_some_key_but_for_the_rules_is_found(
    keys: list[str], word: str, language: str
) -> None:
    fold = language_named(language).spelling.fold
    if fold(word) in map(fold, keys):
        assert Lookup(keys, language).find([word]) is not None


@given(vocabularies, spellings, languages)
def test_unicode_forms_of_a_word_reach_keys_of_one_plain_form(
    keys: list[str], word: str, language: str
) -> None:
    lookup = Lookup(keys, language)
    forms = [word, unicodedata.normalize("NFD", word), normalize(word)]
    matches = [lookup.find([form]) for form in forms]
    assert len({normalize(match.key) if match else None for match in matches}) == 1


@given(vocabularies, spellings)
def test_without_rules_only_case_may_differ(keys: list[str], word: str) -> None:
    match = Lookup(keys, "en").find([word])
    if match is not None:
        assert normalize(match.key).lower() == normalize(word).lower()


@given(spellings, st.sampled_from(["hi", "ru"]), st.data())
def test_the_nearest_spelling_wins_then_the_earliest_key(
    word: str, language: str, data: st.DataObject
) -> None:
    # Vocabularies of spellings of this very word, made by adding and swapping optional letters.
    optional = {"hi": ("़", "ंँ"), "ru": ("", "её")}[language]
    keys = []
    for _ in range(data.draw(st.integers(1, 6))):
        text = ""
        for letter in word:
            if letter in optional[1]:
                text += data.draw(st.sampled_from(optional[1]))
            else:
                text += letter + data.draw(st.sampled_from(["", optional[0]]))
        keys.append(text)
    keys = list(dict.fromkeys(keys))
    fold = language_named(language).spelling.fold
    if any(normalize(key) == normalize(word) for key in keys):
        return
    equal_keys = [key for key in keys if fold(key) == fold(word)]
    if equal_keys:
        nearest = min(edit_distance(normalize(word), normalize(key)) for key in equal_keys)
        expected = next(
            key for key in equal_keys if edit_distance(normalize(word), normalize(key)) == nearest
        )
        match = Lookup(keys, language).find([word])
        assert match is not None
        assert match.key == expected
        assert set(match.how.split("+")) <= {"nukta", "nasal", "yo"}


MARKS = ("", "\u200c", "\u200d")


@given(
    st.text("кम", min_size=1, max_size=3),
    st.lists(st.lists(st.sampled_from(MARKS), min_size=3, max_size=3), min_size=1, max_size=6),
    languages,
)
def test_of_keys_with_one_plain_form_the_earliest_is_found(
    word: str, joiners: list[list[str]], language: str
) -> None:
    keys = [
        "".join(letter + mark for letter, mark in zip(word, marks, strict=False))
        for marks in joiners
    ]
    match = Lookup(keys, language).find([word])
    assert match is not None
    assert match.key == (word if word in keys else keys[0])
    assert match.how == "exact"


@given(st.text(LETTERS, max_size=8), st.sampled_from(["hi", "ru"]))
def test_folding_twice_is_folding_once(text: str, language: str) -> None:
    fold = language_named(language).spelling.fold
    assert fold(fold(text)) == fold(text)


@given(vocabularies, spellings, languages)
def test_a_dict_of_positions_serves_as_well_as_the_keys(
    keys: list[str], word: str, language: str
) -> None:
    positions = {key: row for row, key in enumerate(keys)}
    assert Lookup(positions, language).find([word]) == Lookup(keys, language).find([word])
