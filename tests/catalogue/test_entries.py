import re
from pathlib import Path

import pytest

from fairvec.catalogue import find, models, names
from fairvec.catalogue.entries import Package, read
from fairvec.core.errors import FileFormatError, UnknownNameError
from tests.catalogue.conftest import Add

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
    ("content", "said"),
    [
        (b"[[models", "models.toml, line 1: this is not TOML"),
        (b"[[models]]\n\xff\xfe", "models.toml, line 2: this is not UTF-8"),
    ],
)
def test_a_file_that_is_not_toml_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "models.toml"
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match=said):
        read(path)
