"""Values that commands would take: with hostile ones alone, none gets far."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairvec.cli.options import SettingType
from fairvec.embedding.formats import writable_formats
from fairvec.geometry.similarities import SIMILARITIES
from fairvec.metrics import METRICS
from fairvec.metrics.bias.weat import EFFECT_SIZES
from fairvec.mitigation import DEBIASERS
from fairvec.papers.schema import PAPERS
from fuzz.published import NAMES

_METHODS = [method.name for method in DEBIASERS]
_METRICS = [metric.name for metric in METRICS]
_SIMILARITIES = [similarity.name for similarity in SIMILARITIES]
BY_NAME: dict[str, Sequence[str]] = {
    "accept": ("n1", "n1,n2"),
    "across_geometries": ("ranks",),
    "augment": ("mine.toml", "en/gender"),
    "beside": ("ball.fairvec", "small.vec=other"),
    "by": _SIMILARITIES,
    "column": ("text",),
    "concept": ("mine.toml", "en/gender"),
    "convention": [size.convention.name for size in EFFECT_SIZES],
    "data": ("reviews.csv",),
    "encoding": ("utf-8", "latin-1", "cp1251"),
    "fail_if": ("p < 0.05", "p_holm < 0.05 and abs(effect) > 0.5", "coverage < 0.5"),
    "format": ("word2vec-text",),
    "geometry": ("euclidean", "poincare", "poincare-x4"),
    "label_column": ("label",),
    "labels": ("0=negative,1=positive",),
    "language": ("en", "hi", "ru"),
    "layer": ("0", "last", "all"),
    "likeness": ("squared",),
    "lists": ("targets", "attributes", "x", "a"),
    "max_memory": ("1GB", "200MB"),
    "method": _METHODS,
    "methods": _METHODS,
    "metric": _METRICS,
    "metrics": _METRICS,
    "model": ("small.vec", "ball.fairvec"),
    "reproduce model": ("e-glove=small.vec", "p-glove=ball.fairvec"),
    "train model": ("glove", "poincare-glove", "skipgram", "cbow", "fasttext"),
    "point": ("halfway",),
    "setting": ("lengths=kept", "strength=0.5"),
    "similarity": _SIMILARITIES,
    "solver": ("exact", "riemannian-adam"),
    "spaces": ("euclidean", "poincare"),
    "split_column": ("split",),
    "stand_in": ("p-glove=ball.fairvec", "e-glove=small.vec"),
    "strengths": ("1", "0.5,1"),
    "suite": ("toy.toml", "one.toml", "kumar2020"),
    "task": ("reviews.csv",),
    "text_column": ("text",),
    "to": [writer.name for writer in writable_formats()],
}
"""What options that take any text would take, by their names, or by command and name."""
MODELS = ("small.vec", "ball.fairvec")
SUITES = ("toy.toml", "one.toml", "kumar2020", "malik2022", "pestova")
CONCEPTS = ("mine.toml", "en/gender", "hi/gender", "hi/gender:one-pair", "mine.toml:pairs")
TEXTS = ("text.txt", "kind.txt", "plain.txt", "reviews.csv")
WORDS = ("king", "queen", "man", "doctor", "art")
ARGUMENTS: dict[str, Sequence[str]] = {
    **dict.fromkeys(("model", "models", "source"), MODELS),
    **dict.fromkeys(("suite", "suites"), SUITES),
    **dict.fromkeys(("concept", "concepts names"), CONCEPTS),
    **dict.fromkeys(("corpus", "files"), TEXTS),
    **dict.fromkeys(("words", "among", "a", "b", "c"), WORDS),
    **dict.fromkeys(("folder", "before", "after"), ("run", "run/results.jsonl")),
    "encoder": ("encoder",),
    "plan": ("plan.toml",),
    "test": ("one.toml", "toy.toml", "toy/one", "kumar2020/b1"),
    "file": ("new.csv", "new.toml", "new.fairvec", "new.vec"),
    "models name": ("glove-en-small", "poincare-glove-en-small", "navec-ru-small"),
    "reproduce name": [*PAPERS],
    **dict.fromkeys(("benchmarks name", "benchmarks names"), NAMES),
}
"""What arguments that no option takes would be, by their names, or by command and name."""
INTEGERS, BROKEN = ("1", "2", "3", "10"), ("0", "0.25", "0.5", "1")


def fair_values(words: Sequence[str], option: Any, files: Sequence[str]) -> Sequence[str]:
    """Return values that an option may take; none where nothing is known of it."""
    if not isinstance(option.type, SettingType):  # a flag, or a folder that must be there
        return () if option.is_flag else files
    setting = option.type.setting
    if setting.choices:
        return setting.choices
    if setting.type is int:
        least, most = setting.limits.least, setting.limits.most
        within = (
            text
            for text in INTEGERS
            if (least is None or int(text) >= least) and (most is None or int(text) <= most)
        )
        return (*within, str(least or 1))
    if setting.type is float:
        return BROKEN
    return files if setting.type is Path else _known(BY_NAME, words, option.name)


def fair_arguments(words: Sequence[str], name: str) -> Sequence[str]:
    """Return what an argument of a command may be; none where nothing is known of it."""
    return _known(ARGUMENTS, words, name)


def _known(table: Mapping[str, Sequence[str]], words: Sequence[str], name: str) -> Sequence[str]:
    return table.get(f"{words[0]} {name}") or table.get(name, ())
