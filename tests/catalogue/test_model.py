from typing import Any

import pytest
from pydantic import ValidationError

from fairvec.catalogue import Model

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
