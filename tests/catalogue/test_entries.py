"""Models of the catalogue: entries, shipped files, cut models."""

import hashlib
import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError
from safetensors import safe_open

from fairvec import load
from fairvec.catalogue import Model, Shipped, find, is_local, local_path, models, names
from fairvec.catalogue.entries import DATA, FILE_NAME, Package, read
from fairvec.core.errors import DownloadError, FileFormatError, UnknownNameError
from fairvec.embedding import Embedding, Step
from fairvec.embedding.formats import FORMATS
from fairvec.embedding.lookup import Lookup
from fairvec.embedding.saving import save
from fairvec.lexicon import parse_suite, shipped_suites
from scripts import ship_models
from tests.catalogue.conftest import Add
from tests.loops import loop_over

# --- entries ---


WEB = {"kind": "url", "url": "https://example.org/model.vec"}


def test_names_are_unique_and_found() -> None:
    assert len(set(names())) == len(names())
    assert [find(name) for name in names()] == list(models())


def is_a_stub(version: str) -> bool:
    """Say whether a version is one of those that look-alike packages hide real ones behind."""
    return any(int(part) >= 99 for part in re.findall(r"\d+", version.split("+")[0])[:1])


def test_no_model_comes_from_a_look_alike_and_each_package_is_checked() -> None:
    packages = [(model, model.source) for model in models() if isinstance(model.source, Package)]
    assert len(packages) >= 5
    for model, source in packages:
        assert model.sha256 is not None, model.name
        assert model.size is not None, model.name
        assert not is_a_stub(source.version), model.name
    assert [is_a_stub(version) for version in ("999.9.9", "99.0", "0.30", "1.999.0")] == [
        True,
        True,
        False,
        False,
    ]


def test_a_near_miss_is_answered_with_the_right_name() -> None:
    with pytest.raises(UnknownNameError, match="did you mean glove-en-small"):
        find("glove-en-smal")


def test_the_users_own_models_come_after_fairvecs(add: Add) -> None:
    before = names()
    assert names() == before
    add(name="mine", source=WEB)
    assert names() == (*before, "mine")
    assert find("mine").title == "A model"


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"name": "glove-en-small", "source": WEB}, "another name"),
        ({"source": {"kind": "shipped", "file": "x"}}, "claims to be shipped"),
        ({"source": WEB, "colour": "blue"}, r"toml: models\[1\]\.colour is not a known key; docs"),
        ({"source": WEB, "license": "x"}, r"license is not a known key \(did you mean licence\?\)"),
        ({}, r"models\[1\]\.source is required; docs/models\.md lists"),
    ],
)
def test_a_users_entry_that_cannot_be_is_refused(
    add: Add, fields: dict[str, object], complaint: str
) -> None:
    add(**fields)
    with pytest.raises(FileFormatError, match=complaint):
        names()


def test_two_models_of_one_name_are_refused(add: Add, home: Path) -> None:
    add(source=WEB)
    add(source=WEB)
    with pytest.raises(FileFormatError, match="two models are named 'mine'"):
        read(home / "models.toml")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[[models", "models.toml, line 1: this is not TOML"),
        (b"[[models]]\n\xff\xfe", "models.toml, line 2: this is not UTF-8"),
    ],
)
def test_a_file_that_is_not_toml_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "models.toml"
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match=message):
        read(path)


# --- model ---


FIELDS: dict[str, Any] = {
    "name": "some-model",
    "title": "Some model",
    "language": "en",
    "licence": "MIT",
    "origin": "https://example.org",
    "format": "native",
    "dimensions": 100,
    "source": {"kind": "url", "url": "https://example.org/model.bin"},
}


def test_what_is_not_given_is_not_known() -> None:
    model = Model(**FIELDS)
    assert (model.words, model.size, model.sha256) == (None, None, None)
    assert model.geometry == "euclidean"


@pytest.mark.parametrize(
    "wrong",
    [
        {"licence": ""},
        {"origin": ""},
        {"name": "Some Model"},
        {"sha256": "abc"},
        {"dimensions": 0},
        {"colour": "blue"},
        {"geometry": "poincare"},
        {"curvature": 1.0},
        {"geometry": "spherical"},
        {"source": {"kind": "url", "url": "ftp://example.org/model.bin"}},
        {"source": {"kind": "url", "url": "https://example.org/model.bin", "colour": "blue"}},
        {"source": {"kind": "gift"}},
        {
            "source": {
                "kind": "package",
                "registry": "npm",
                "package": "some",
                "version": "1",
                "member": "m",
                "sdist_sha256": "0" * 64,
            }
        },
    ],
)
def test_a_malformed_entry_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Model(**FIELDS | wrong)


@pytest.mark.parametrize("required", ["licence", "origin", "language", "source"])
def test_an_incomplete_entry_is_refused(required: str) -> None:
    with pytest.raises(ValidationError):
        Model(**{name: value for name, value in FIELDS.items() if name != required})


def test_a_model_cannot_be_changed() -> None:
    with pytest.raises(ValidationError):
        Model(**FIELDS).words = 3  # type: ignore[misc]


# --- The models that come with fairvec are what the catalogue says they are ---


SHIPPED = [model for model in models() if isinstance(model.source, Shipped)]
EVERY_SHIPPED = pytest.mark.parametrize("model", SHIPPED, ids=lambda model: model.name)
FULL = {
    "glove-hi-small": "emb_glove_hi/glove_hi_57k_100d.npz",
    "poincare-glove-en-small": (
        "emb_glove_and_poincare_glove_en/poincare_glove_enwiki2_50k_100d.npz"
    ),
    "glove-en-twin-small": "emb_glove_and_poincare_glove_en/glove_enwiki2_50k_100d.npz",
}


def keys_of(path: Path) -> list[str]:
    with safe_open(path, "np") as file:
        joined: bytes = file.get_tensor("keys").tobytes()
    return joined.decode().split("\n")


@EVERY_SHIPPED
def test_size_and_hash_are_those_of_the_catalogue(model: Model) -> None:
    assert is_local(model.name)
    content = local_path(model.name).read_bytes()
    assert len(content) == model.size
    assert hashlib.sha256(content).hexdigest() == model.sha256


@EVERY_SHIPPED
def test_words_and_dimensions_are_those_of_the_catalogue(model: Model) -> None:
    with safe_open(local_path(model.name), "np") as file:
        if "vectors" in file.keys():  # noqa: SIM118 - the file is no dict
            rows, dimensions = file.get_slice("vectors").get_shape()
        else:
            rows, _ = file.get_slice("codes").get_shape()
            parts, _, width = file.get_slice("codebooks").get_shape()
            dimensions = parts * width
    keys = keys_of(local_path(model.name))
    assert len(set(keys)) == len(keys) == rows == model.words
    assert dimensions == model.dimensions


@EVERY_SHIPPED
def test_the_file_names_its_licence_origin_and_space(model: Model) -> None:
    with safe_open(local_path(model.name), "np") as file:
        metadata = file.metadata()
    assert (metadata["name"], metadata["licence"], metadata["origin"]) == (
        model.name,
        model.licence,
        model.origin,
    )
    assert metadata["geometry"] == model.geometry
    assert float(metadata["curvature"]) == (model.curvature or 0.0)


def test_the_ball_is_kept_in_float32_and_inside() -> None:
    model = find("poincare-glove-en-small")
    assert model.curvature == 1.0
    with safe_open(local_path(model.name), "np") as file:
        vectors = file.get_tensor("vectors")
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors.astype(np.float64), axis=1).max() < 1


def test_together_they_are_small() -> None:
    files = list((DATA / "shipped").iterdir())
    assert {file.name for file in files} == {
        model.source.file for model in SHIPPED if isinstance(model.source, Shipped)
    }
    assert sum(file.stat().st_size for file in files) <= 20_000_000


def suite_keys(keys: Iterable[str], language: str) -> set[str]:
    lookup = Lookup(keys, language)
    found = (
        lookup.find(word.spellings, word.pos)
        for suite in shipped_suites()
        if suite.language == language
        for wordset in suite.sets.values()
        for word in wordset.words
    )
    return {match.key for match in found if match is not None}


@pytest.mark.parametrize(("name", "path"), FULL.items(), ids=FULL)
def test_what_suites_find_in_the_full_model_they_find_in_the_small_one(
    name: str, path: str, shared_data: Path
) -> None:
    with np.load(shared_data / path) as full:
        words, vectors = full["words"].tolist(), full["vectors"]
    language = find(name).language
    keys = keys_of(local_path(name))
    wanted = suite_keys(words, language)
    assert wanted
    assert suite_keys(keys, language) == wanted
    kept = set(keys)
    assert [word for word in words if word in kept] == keys
    rows = {word: row for row, word in enumerate(words)}
    with safe_open(local_path(name), "np") as file:
        np.testing.assert_array_equal(file.get_tensor("vectors"), vectors[[rows[k] for k in keys]])


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("glove-en-small", ["the", "king", "queen", "aster", "ebony", "jamal", "algebra"]),
        ("navec-ru-small", ["в", "россии", "мужчина", "рассудительность", "сентиментальность"]),
    ],
)
def test_frequent_words_and_rare_words_of_the_suites_are_there(name: str, words: list[str]) -> None:
    assert set(words) <= set(keys_of(local_path(name)))


def test_the_vectors_are_those_that_stanford_published() -> None:
    path = local_path("glove-en-small")
    keys = keys_of(path)
    with safe_open(path, "np") as file:
        vectors = file.get_tensor("vectors").astype(np.float64)
    the, king, queen = (vectors[keys.index(word)] for word in ("the", "king", "queen"))
    published = [-0.038194, -0.24487, 0.72812, -0.39961, 0.083172]
    np.testing.assert_allclose(the[:5], published, rtol=1e-3)
    cosine = king @ queen / np.sqrt(king @ king * (queen @ queen))
    assert cosine == pytest.approx(0.7508, abs=5e-4)


def test_a_missing_file_asks_for_reinstalling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fairvec.catalogue.fetch.DATA", tmp_path)
    assert not is_local("glove-en-small")
    with pytest.raises(DownloadError, match="reinstall fairvec"):
        local_path("glove-en-small")


@loop_over("model", models())
def test_every_entry_says_its_rights_its_origin_and_a_format_that_is_read(model: Model) -> None:
    assert model.licence
    assert "://" in model.origin or model.origin.startswith("Trained for fairvec")
    assert model.format in {form.name for form in FORMATS}


# --- cut models ---


SUITE = """
id = "tiny"
version = "1"
language = "ru"
title = "Tiny"
source = "made up"
licence = "none"
[sets.one]
title = "one"
words = [{ word = "тетя", variants = ["тётушка"] }, "missing"]
[[tests]]
id = "one"
title = "One"
category = "gender"
kind = "bias"
x = "one"
y = "one"
a = "one"
b = "one"
"""


def test_frequent_words_and_every_spelling_of_the_suites_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ship_models, "MOST_FREQUENT", 2)
    monkeypatch.setattr(ship_models, "BENCHMARKS", {"ru": ()})
    keys = ["в", "и", "на", "тётя", "с", "тётушка"]
    positions = {key: row for row, key in enumerate(keys)}
    assert ship_models.rows_kept(positions, [parse_suite(SUITE)]) == [0, 1, 3, 5]


def test_a_small_model_that_finds_another_key_is_refused() -> None:
    full = {"тетя": 0, "тётушка": 1}
    small = {"тётушка": 0}
    assert "1 of 2 words" in ship_models.compared(parse_suite(SUITE), full, full)
    with pytest.raises(SystemExit, match="finds other keys"):
        ship_models.compared(parse_suite(SUITE), full, small)


def test_only_three_lines_of_the_catalogue_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / FILE_NAME
    shutil.copy(DATA / FILE_NAME, file)
    before = file.read_text(encoding="utf-8").splitlines()
    made = tmp_path / "made"
    made.write_bytes(b"model")
    monkeypatch.setattr(ship_models, "DATA", tmp_path)
    ship_models.update_catalogue("glove-hi-small", words=7, path=made)
    after = file.read_text(encoding="utf-8").splitlines()
    assert sum(old != new for old, new in zip(before, after, strict=True)) == 3
    (model,) = (model for model in read(file) if model.name == "glove-hi-small")
    assert (model.words, model.size) == (7, 5)
    assert model.sha256 == hashlib.sha256(b"model").hexdigest()


@pytest.fixture
def trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model of Hindi words, the most frequent first; its last word is one of the suites."""
    monkeypatch.setattr(ship_models, "MOST_FREQUENT", 2)
    monkeypatch.setattr(ship_models, "BENCHMARKS", {"hi": ()})
    vectors = np.arange(8, dtype=np.float32).reshape(4, 2)
    step = Step("trained", {"by": "glove"})
    counts = np.array([9, 8, 7, 6])
    keys = ["के", "है", "अनसुना", "गणित"]
    model = Embedding(keys, vectors, name="full", history=(step,), counts=counts, languages=("hi",))
    save(model, tmp_path / "full.fairvec")
    return tmp_path / "full.fairvec"


def test_a_small_model_is_cut_from_a_trained_one_and_says_so(
    trained: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shipped = (DATA / FILE_NAME).read_bytes()
    small = tmp_path / "small.fairvec"
    ship_models.main(["--cut", "glove-hi-small", str(trained), str(small)])
    model = load(small)
    assert [*model.keys] == ["के", "है", "गणित"]
    assert model.vectors.tolist() == [[0, 1], [2, 3], [6, 7]]
    assert model.vectors.dtype == np.float16
    assert model.counts is not None
    assert model.counts.tolist() == [9, 8, 6]
    assert [step.action for step in model.history[:2]] == ["trained", "subset"]
    assert (model.name, model.languages) == ("small", ("hi",))
    assert "3 of 4 words" in capsys.readouterr().out
    assert (DATA / FILE_NAME).read_bytes() == shipped, "the catalogue is left alone"


@pytest.mark.parametrize(
    ("name", "full", "small", "message"),
    [
        ("glove-hi", "full.fairvec", "small.fairvec", "There is no 'glove-hi' to cut like"),
        ("navec-ru-small", "full.fairvec", "small.fairvec", "There is no 'navec-ru-small'"),
        ("glove-hi-small", "none.fairvec", "small.fairvec", "none.fairvec does not exist"),
        ("glove-hi-small", "full.fairvec", "full.fairvec", "full.fairvec is there already"),
    ],
    ids=["unknown", "quantised", "missing", "taken"],
)
def test_what_cannot_be_cut_is_refused(
    trained: Path, tmp_path: Path, name: str, full: str, small: str, message: str
) -> None:
    before = trained.read_bytes()
    with pytest.raises(SystemExit, match=message):
        ship_models.main(["--cut", name, str(tmp_path / full), str(tmp_path / small)])
    assert trained.read_bytes() == before
    assert not (tmp_path / "small.fairvec").exists()
