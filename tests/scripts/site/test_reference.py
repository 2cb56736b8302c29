"""The API reference is made from the packages, so that no public name is left out."""

from pathlib import Path

import fairvec
from scripts.site.reference import as_written, public_modules, public_names, write_reference


def test_every_public_name_is_on_the_page_of_its_package(tmp_path: Path) -> None:
    assert "fairvec" in write_reference(tmp_path)
    for module in public_modules():
        text = (tmp_path / f"{module.__name__}.rst").read_text(encoding="utf-8")
        lines = text.splitlines()
        shown = {line.rpartition(".")[2] for line in lines if line.startswith(".. ")}
        assert shown == set(public_names(module)), module.__name__
    assert set(public_names(fairvec)) == set(fairvec.__all__) - {"__version__"}


def test_a_page_of_a_package_that_is_gone_goes_too(tmp_path: Path) -> None:
    (tmp_path / "fairvec.gone.rst").write_text("old", encoding="utf-8")
    write_reference(tmp_path)
    assert not (tmp_path / "fairvec.gone.rst").exists()


def test_formulas_of_docstrings_stand_as_they_were_written() -> None:
    lines = ["The size |d|, as `|x|`.", "", "    d = |x| - y", "", "    e = 1", "", "More."]
    assert as_written(lines) == [
        r"The size \|d\|, as `|x|`.",
        "",
        "::",
        "",
        "    d = |x| - y",
        "",
        "    e = 1",
        "",
        "More.",
    ]
    held = [":param x: One", "", "    more of it", "- item", "", "    of a list"]
    assert as_written(held) == held
