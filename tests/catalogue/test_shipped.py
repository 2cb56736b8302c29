"""The models that come with fairvec are what the catalogue says they are."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open

from fairvec.catalogue import Model, Shipped, find, is_local, local_path, models
from fairvec.catalogue.entries import DATA
from fairvec.core.errors import DownloadError
from fairvec.embedding.formats import FORMATS
from fairvec.embedding.lookup import Lookup
from fairvec.lexicon import shipped_suites

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
        told = file.metadata()
    assert (told["name"], told["licence"], told["origin"]) == (
        model.name,
        model.licence,
        model.origin,
    )
    assert told["geometry"] == model.geometry
    assert float(told["curvature"]) == (model.curvature or 0.0)


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


@pytest.mark.parametrize("model", models(), ids=lambda model: model.name)
def test_every_entry_says_its_rights_its_origin_and_a_format_that_is_read(model: Model) -> None:
    assert model.licence
    assert "://" in model.origin or model.origin.startswith("Trained for fairvec")
    assert model.format in {form.name for form in FORMATS}
