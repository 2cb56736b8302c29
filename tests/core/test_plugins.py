"""Things from outside: names are read, code is imported when one is named, and trouble is told."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import invalidate_caches
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from fairvec.core.errors import PluginError, SettingError
from fairvec.core.plugins import (
    Origin,
    PluginRegistry,
    describe_plugin_fault,
    import_object,
    origin_of,
)
from fairvec.metrics import METRICS, metric
from fairvec.metrics.bias.weat import Weat
from fairvec.mitigation import DEBIASERS, debiaser
from tests.plugin_package import write_package

GROUP = "fairvec.metrics"
MODULE = """
class Thing:
    name = "{}"
"""


@dataclass(frozen=True)
class Named:
    name: str


def checked(given: object, called: str) -> Named:
    if isinstance(given, type):
        given = given()
    if not hasattr(given, "name"):
        raise SettingError(f"{called} has no name.")
    return given  # type: ignore[return-value]


@pytest.fixture
def plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PluginRegistry[Named]]:
    monkeypatch.syspath_prepend(tmp_path)
    before = {*sys.modules}
    yield PluginRegistry("metric", GROUP, frozenset({"weat"}), checked)
    for name in {*sys.modules} - before:
        del sys.modules[name]


def package(folder: Path, name: str, thing: str, *, said: str | None = None) -> None:
    module = name.replace("-", "_")
    write_package(
        folder,
        name,
        {module: MODULE.format(said or thing)},
        metrics={thing: f"{module}:Thing"},
        recorded=False,
    )


def test_a_name_is_known_without_an_import(plugins: PluginRegistry[Named], tmp_path: Path) -> None:
    package(tmp_path, "a-package", "new")
    assert plugins.names() == ["new"]
    assert "a_package" not in sys.modules
    found = plugins.find("new")
    assert found is not None
    assert origin_of(type(found)) == Origin("a-package", "1.2")
    assert plugins.find("new") is found
    assert plugins.find("newer") is None


def test_a_class_of_an_installed_package_is_known_by_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    write_package(tmp_path, "Z-package", {"z_module": MODULE.format("z")}, version="7")
    thing = import_object("python:z_module:Thing", "metric")
    del sys.modules["z_module"]
    assert str(origin_of(thing)).startswith("z_module ")  # nothing is loaded under its name now
    again = import_object("python:z_module:Thing", "metric")
    assert origin_of(again) == Origin("Z-package", "7")
    del sys.modules["z_module"]


def test_a_package_with_a_folder_of_the_same_name_is_not_blamed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    write_package(tmp_path, "untidy", {})
    (tmp_path / "untidy-1.2.dist-info" / "RECORD").write_text("tests/other.py,,\n")
    # Some finders of packages, which others may have brought in, pass over what is not there.
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "other.py").touch()
    invalidate_caches()
    assert "untidy" in packages_distributions()["tests"]
    fresh = type("Fresh", (), {"__module__": __name__})
    assert str(origin_of(fresh)).startswith(f"{__name__} sha256 ")


def test_our_own_names_are_found_without_looking_for_packages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def look(*_: object) -> None:
        raise RuntimeError("looked for packages")

    monkeypatch.setattr("fairvec.core.plugins.find_entry_points", look)
    assert [metric(one.name) for one in METRICS] == [*METRICS]
    assert [type(debiaser(one.name)) for one in DEBIASERS] == [*DEBIASERS]
    with pytest.raises(RuntimeError, match="looked"):
        metric("waet")


def test_two_packages_of_one_name_are_both_named(
    plugins: PluginRegistry[Named], tmp_path: Path
) -> None:
    package(tmp_path, "a-package", "new")
    package(tmp_path, "b-package", "new")
    with pytest.raises(PluginError, match=r"a-package 1\.2 and b-package 1\.2; uninstall"):
        plugins.find("new")
    assert {one.package.package for one in plugins.offered() if one.trouble} == {
        "a-package",
        "b-package",
    }


def test_a_name_of_ours_is_refused_and_not_offered(
    plugins: PluginRegistry[Named], tmp_path: Path
) -> None:
    package(tmp_path, "a-package", "weat")
    assert plugins.names() == []
    (one,) = plugins.offered()
    assert "'weat' comes with fairvec, so that of a-package 1.2 is refused" in one.trouble
    with pytest.raises(SettingError, match="'weat' comes with fairvec"):
        plugins.register(Named("weat"))


def test_an_entry_point_has_the_name_of_its_thing(
    plugins: PluginRegistry[Named], tmp_path: Path
) -> None:
    package(tmp_path, "a-package", "new", said="other")
    with pytest.raises(PluginError, match=r"'new' of a-package 1\.2 calls itself 'other'"):
        plugins.find("new")


def test_an_absent_name_in_a_module_is_reported(
    plugins: PluginRegistry[Named], tmp_path: Path
) -> None:
    write_package(tmp_path, "a-package", {"a_package": ""}, metrics={"new": "a_package:Thing"})
    with pytest.raises(PluginError, match=r"of a-package 1\.2 cannot be imported \(AttributeErr"):
        plugins.find("new")


def test_what_is_registered_is_found_and_a_taken_name_is_refused(
    plugins: PluginRegistry[Named], tmp_path: Path
) -> None:
    package(tmp_path, "a-package", "new")
    mine = plugins.register(Named("mine"))
    assert plugins.find("mine") is mine
    assert plugins.names() == ["mine", "new"]
    with pytest.raises(SettingError, match=r"'new' comes from a-package 1\.2; call yours"):
        plugins.register(Named("new"))

    class Other:
        name = "mine"

    with pytest.raises(SettingError, match="Another metric is registered as 'mine'"):
        plugins.register(Other)
    assert plugins.register(Named("mine")) is not mine


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ("python:os", "names no metric"),
        ("python::path", "names no metric"),
        ("os:path", "names no metric"),
        ("python:no.such.module:It", "ModuleNotFoundError"),
        ("python:os:nothing", "AttributeError"),
        ("python:.os:path", "cannot be imported"),
    ],
)
def test_what_is_in_no_module_is_refused(named: str, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        import_object(named, "metric")


def test_where_a_class_comes_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert origin_of(Weat) is None
    (found,) = {origin_of(pytest.MonkeyPatch)}
    assert found == Origin("pytest", pytest.__version__)
    own = origin_of(Named)
    assert own is not None
    assert own.package == __name__
    assert own.version.startswith("sha256 ")
    typed: dict[str, type] = {}
    exec("class Typed: pass", {"__name__": "nowhere"}, typed)
    assert origin_of(typed["Typed"]) == Origin("nowhere", "no version")


def test_a_fault_is_laid_at_the_right_door() -> None:
    assert describe_plugin_fault(Weat(), KeyError("a")).startswith("This is a fault of fairvec")
    message = describe_plugin_fault(Named("mine"), KeyError("a"))
    assert message.startswith(f"mine of {__name__} sha256 ")
    assert message.endswith("failed (KeyError: 'a'); tell the authors of that package.")
    assert describe_plugin_fault(Named("mine"), MemoryError()).startswith(
        "The memory of this machine ran out"
    )


@pytest.mark.parametrize(
    "points",
    ["[fairvec.metrics]\nodd\n", "odd = odd:Thing\n64", "[x]\n= =\n="],
    ids=["no value", "no group", "no name"],
)
def test_a_package_with_damaged_metadata_costs_no_other(
    plugins: PluginRegistry[Named], tmp_path: Path, points: str
) -> None:
    package(tmp_path, "a-package", "new")
    package(tmp_path, "odd-package", "odd")
    (damaged,) = tmp_path.glob("odd_package*.dist-info/entry_points.txt")
    damaged.write_text(points)
    assert plugins.names() == ["new"]
    assert plugins.find("new") is not None
    assert plugins.find("odd") is None
    troubles = {one.package.package: one.trouble for one in plugins.offered()}
    assert troubles.pop("a-package") == ""
    if troubles:  # some versions of Python read such lines as none
        trouble = troubles.pop("odd-package")
        assert troubles == {}
        assert trouble.startswith("Its entry points cannot be read (")
        assert trouble.endswith("uninstall it.")


def test_a_package_without_a_name_is_reported(
    plugins: PluginRegistry[Named], tmp_path: Path
) -> None:
    package(tmp_path, "a-package", "new")
    (metadata,) = tmp_path.glob("*.dist-info/METADATA")
    metadata.write_text("nothing")
    (one,) = plugins.offered()
    assert (str(one.package), one.trouble) == ("a package without a name no version", "")
