"""Write docs/settings.md from what settings declare, so that the two cannot drift apart."""

from collections.abc import Iterable
from dataclasses import MISSING
from inspect import getdoc
from pathlib import Path
from typing import Any, Union, get_args, get_origin

from fairvec.core.settings import SettingField, SettingLimits, setting_fields
from fairvec.encoders.contexts import Corpus
from fairvec.experiments.audit.plan import Statistics
from fairvec.metrics import METRICS
from fairvec.metrics.utility import UTILITY_METRICS
from fairvec.mitigation import DEBIASERS
from fairvec.tasks.sentiment.classifiers import LstmNetwork, MeansNetwork
from fairvec.tasks.sentiment.task import SentimentTask
from fairvec.training.augment import Augmentation
from fairvec.training.encode import VocabularyLimits
from fairvec.training.gensim_training import GensimModel
from fairvec.training.train import KINDS, TrainingText

DOCUMENT = Path(__file__).parents[1] / "docs" / "settings.md"

OPENING = """# Settings

Every setting of the statistics, of metrics, debiasing methods, training, the sentiment task and
corpora, with what it may hold. In Python each is an argument: `DirectBias(strictness=2)`,
`fairvec.debias(model, concept, "hard", settings={"k": 2})`, `fairvec.audit(model, alpha=.01)`. For
a method the shell takes `--set k=2`, and the explorer shows a form. Each result, each transform and
the history of a model record them all.

This page is written by `python -m scripts.document_settings`; a test keeps it current.
"""

NAMES = {GensimModel: "skipgram, cbow and fasttext", SentimentTask: "task"}
"""What else than their name or class some are called."""


def section(title: str, owners: Iterable[Any]) -> str:
    """Return the settings of some classes under a heading; those without any are left out."""
    return f"\n## {title}\n" + "".join(map(table, dict.fromkeys(owners)))


def table(owner: Any) -> str:
    """Return the settings of a class as a table, under its name and the first line of its help."""
    settings = setting_fields(owner)
    if not settings:
        return ""
    name = owner.name if isinstance(getattr(owner, "name", None), str) else owner.__name__.lower()
    lines = [f"\n### {NAMES.get(owner, name)}\n", f"{(getdoc(owner) or '').splitlines()[0]}\n"]
    lines += ["| setting | values | default | meaning |", "|---|---|---|---|"]
    for each in settings:
        lines.append(f"| `{each.name}` | {values_of(each)} | {default_of(each)} | {each.help} |")
    return "\n".join(lines) + "\n"


def values_of(setting: SettingField) -> str:
    """Return in words what a setting may hold."""
    if setting.choices:
        return " or ".join(f"`{choice}`" for choice in setting.choices)
    words = {bool: "true or false", int: "a whole number", float: "a number", str: "a word"}
    kinds = get_args(setting.type) if get_origin(setting.type) is Union else (setting.type,)
    kind = " or ".join(getattr(each, "__name__", str(each)) for each in kinds)
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
    if setting.default == "":
        return "empty"
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
            section("Training", [TrainingText, VocabularyLimits, Augmentation, *KINDS.values()]),
            section("The sentiment task", [SentimentTask, LstmNetwork, MeansNetwork]),
            section("Corpora in which words are found", [Corpus]),
        ]
    )


if __name__ == "__main__":
    DOCUMENT.write_text(document(), encoding="utf-8")
