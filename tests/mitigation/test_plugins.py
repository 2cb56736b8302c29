"""A method from outside by name: fitted, checked, and named in the history of what it changed."""

import inspect
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

import fairvec
from fairvec.core.errors import PluginError, SettingError, UnknownNameError
from fairvec.core.settings import setting_fields
from fairvec.experiments.provenance import describe_model
from fairvec.mitigation import (
    DEBIASERS,
    FOREIGN_METHODS,
    debiaser,
    fit_checked,
    load_transform,
    method_names,
    save_transform,
)
from tests.mitigation.toys import concept, embedding
from tests.testing.toys import FirstPair


@pytest.fixture(autouse=True)
def as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FOREIGN_METHODS, "registered", {})


def test_a_registered_method_is_found_by_its_name() -> None:
    assert fairvec.register_method(FirstPair) is FirstPair
    assert debiaser("first-pair", strength=0.5) == FirstPair(0.5)
    assert method_names() == [*(method.name for method in DEBIASERS), "first-pair"]
    with pytest.raises(UnknownNameError, match="did you mean first-pair"):
        debiaser("first-pare")


def test_history_and_file_say_where_a_method_comes_from(tmp_path: Path) -> None:
    model = embedding()
    transform = fit_checked(FirstPair(), model, concept())
    (package,) = transform.remarks["package"]
    assert package.startswith("tests.testing.toys sha256 ")
    (step,) = describe_model(transform.transform(model)).history
    assert step["package"] == [package]
    save_transform(transform, tmp_path / "one.safetensors")
    assert load_transform(tmp_path / "one.safetensors").remarks["package"] == [package]
    assert "package" not in fit_checked(DEBIASERS[0](), model, concept()).remarks


def test_an_object_has_no_name_of_fairvecs_own() -> None:
    class Hard(FirstPair):
        name: ClassVar[str] = "hard"

    with pytest.raises(SettingError, match="'hard' comes with fairvec; call yours otherwise"):
        fit_checked(Hard(), embedding(), concept())


def test_a_method_that_fails_is_named() -> None:
    class Failing(FirstPair):
        def fit(self, *_: object) -> Any:
            raise KeyError("nothing")

    with pytest.raises(PluginError, match=r"first-pair of tests\..* failed \(KeyError: 'nothing'"):
        fit_checked(Failing(), embedding(), concept())


@dataclass(frozen=True)
class NeedsMore:
    name: ClassVar[str] = "needs-more"
    against: str
    strength: float = 1.0

    def fit(self, *_: object) -> Any: ...


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (FirstPair(), "is no class that is a frozen dataclass"),
        (NeedsMore, "cannot be made by its default settings"),
        (int, "is no class that is a frozen dataclass"),
        (type("Hard", (FirstPair,), {"name": "hard"}), "'hard' comes with fairvec"),
        (type("Odd", (FirstPair,), {"name": "../odd"}), "has no name of small letters"),
    ],
    ids=["object", "no defaults", "another class", "taken", "odd name"],
)
def test_what_is_no_method_is_refused(wrong: Any, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        fairvec.register_method(wrong)
    assert not FOREIGN_METHODS.registered


@pytest.mark.parametrize("method", DEBIASERS, ids=lambda method: method.name)
def test_what_the_description_of_a_method_names_is_there(method: Any) -> None:
    text, module = inspect.getdoc(method) or "", sys.modules[method.__module__]
    settings = setting_fields(method)
    names = {setting.name for setting in settings}
    choices = {choice for setting in settings for choice in setting.choices}
    for name in re.findall(r"\(see ([\w.]+)\)", text):
        assert hasattr(module, name), name
    for name in re.findall(r"`([\w.-]+)`", text):
        assert name in names or name in choices or hasattr(module, name), name
