"""Write docs/settings.md from what settings declare, so that the two cannot drift apart."""

from collections.abc import Iterable
from dataclasses import MISSING
from inspect import getdoc
from pathlib import Path
from typing import Any

from fairvec.core.settings import SettingField, SettingLimits, setting_fields
from fairvec.experiments.audit.plan import Statistics
from fairvec.metrics import METRICS
from fairvec.metrics.utility import UTILITY_METRICS
from fairvec.mitigation import DEBIASERS

DOCUMENT = Path(__file__).parents[1] / "docs" / "settings.md"

OPENING = """# Settings

Every setting of a metric, a debiasing method and the statistics, with what it may hold. In Python
each is an argument: `DirectBias(strictness=2)`, `fairvec.debias(model, concept, "hard", k=2)`,
`fairvec.audit(model, alpha=.01)`. For a method the shell takes `--set k=2`, and the explorer shows
a form. Each result and each transform records them all.

This page is written by `python -m scripts.document_settings`; a test keeps it current.
"""


def section(title: str, owners: Iterable[Any]) -> str:
    """Return the settings of some classes under a heading; those without any are left out."""
    return f"\n## {title}\n" + "".join(map(table, dict.fromkeys(owners)))


def table(owner: Any) -> str:
    """Return the settings of a class as a table, under its name and the first line of its help."""
    settings = setting_fields(owner)
    if not settings:
        return ""
    name = owner.name if isinstance(getattr(owner, "name", None), str) else owner.__name__.lower()
    lines = [f"\n### {name}\n", f"{(getdoc(owner) or '').splitlines()[0]}\n"]
    lines += ["| setting | values | default | meaning |", "|---|---|---|---|"]
    for each in settings:
        lines.append(f"| `{each.name}` | {values_of(each)} | {default_of(each)} | {each.help} |")
    return "\n".join(lines) + "\n"


def values_of(setting: SettingField) -> str:
    """Return in words what a setting may hold."""
    if setting.choices:
        return " or ".join(f"`{choice}`" for choice in setting.choices)
    words = {bool: "true or false", int: "a whole number", float: "a number", str: "a word"}
    kind = getattr(setting.type, "__name__", str(setting.type))
    nouns = {"tuple": "a list", "Sequence": "a list", "Callable": "a function"}
    value = words.get(setting.type) or nouns.get(kind, f"an object of the kind {kind}")
    if setting.limits == SettingLimits():
        return value
    return f"{value}, {str(setting.limits).removeprefix('be ').removeprefix('lie ')}"


def default_of(setting: SettingField) -> str:
    """Return the default as it is written; an object by its name."""
    if setting.default is MISSING:
        return "none: it must be given"
    if setting.default is None:
        return "left out"
    default = setting.default
    name = getattr(default, "name", None) or getattr(default, "__name__", None)
    return f"`{name or default}`"


def document() -> str:
    """Return the whole page."""
    return "".join(
        [
            OPENING,
            section("Statistics of an audit", [Statistics]),
            section("Metrics of bias", map(type, METRICS)),
            section("Metrics of usefulness", map(type, UTILITY_METRICS.values())),
            section("Debiasing methods", DEBIASERS),
        ]
    )


if __name__ == "__main__":
    DOCUMENT.write_text(document(), encoding="utf-8")
