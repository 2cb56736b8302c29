"""The plan of a study: its TOML file, read and checked, and a template for a new one."""

import os
from collections.abc import Iterable
from dataclasses import fields
from glob import glob
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from fairvec.core.errors import (
    LexiconError,
    SettingError,
    UnknownNameError,
    os_reason,
)
from fairvec.core.io.read_files import is_there
from fairvec.core.io.toml_files import parse_toml, read_toml, toml_string
from fairvec.core.settings import LARGEST_SEED, check_names, parse_settings
from fairvec.core.text import escape_surrogates
from fairvec.core.validation import Frozen, Location
from fairvec.experiments.audit.plan import resolve_metrics
from fairvec.geometry import similarity as similarity_named
from fairvec.languages.language import DEFAULT_LANGUAGE, language_codes
from fairvec.languages.language import language as language_named
from fairvec.lexicon import SelectedTest, select_tests
from fairvec.metrics import CorpusMetric, Metric, effect_size
from fairvec.stats.anova import FEWEST_TIMES
from fairvec.training.text import corpus_files, has_lemmas, languages_with_lemmas
from fairvec.training.train import KINDS, Kind, get_model, require_extras

GRID_SETTINGS = ("name", "dimensions")
"""Settings of a kind of model that the grid decides, not its table."""

FEWEST_SEEDS = 2
"""With one seed there is no estimate of chance variation."""

PositiveInt = Annotated[int, Field(strict=True, ge=1)]
Time = Annotated[float, Field(strict=True, allow_inf_nan=False)]
SeedNumber = Annotated[int, Field(strict=True, ge=0, le=LARGEST_SEED)]


class StudyPlan(Frozen):
    """The whole file: every corpus is learnt from with every model, window, dimension and seed."""

    title: str = ""
    language: str
    words: Literal["plain", "cased", "lemmas", "tagged-lemmas"] = "plain"
    tokens: PositiveInt | None = None
    min_count: PositiveInt = 5
    max_words: PositiveInt | None = None
    windows: tuple[PositiveInt, ...]
    dims: tuple[PositiveInt, ...]
    seeds: tuple[SeedNumber, ...]
    suites: tuple[str, ...]
    metrics: tuple[str, ...] = ("weat",)
    similarity: str | None = None
    convention: str | None = None
    corpora: dict[str, tuple[str, ...]]
    when: dict[str, Time] = Field(default_factory=dict)
    models: dict[str, dict[str, Any]]

    @model_validator(mode="after")
    def _check(self) -> Self:
        for name in ("windows", "dims", "suites", "metrics", "corpora", "models"):
            if not getattr(self, name):
                raise ValueError(f"{name} must not be empty")
        for name in ("windows", "dims", "seeds"):
            numbers = getattr(self, name)
            if len(set(numbers)) < len(numbers):
                raise ValueError(f"{name} holds a number twice")
        if len(self.seeds) < FEWEST_SEEDS:
            raise ValueError(
                "seeds must hold two or more: the spread between them is what every other "
                "difference is held against"
            )
        if all(len(levels) < 2 for levels in self.levels.values()):
            raise ValueError(
                "nothing varies: give two corpora, models, windows or dims, so that there is "
                "something to compare"
            )
        for name, places in self.corpora.items():
            if not name.strip() or not places or not all(places):
                raise ValueError(f"corpora.{name} must have a name and at least one file")
        if self.when:
            self._check_times()
        return self

    def _check_times(self) -> None:
        if unmatched := sorted(set(self.when) ^ set(self.corpora)):
            raise ValueError(
                f"when must have a time for each corpus and for nothing else, which is not so of "
                f"{', '.join(unmatched)}"
            )
        if len(self.when) < FEWEST_TIMES or len(set(self.when.values())) < 2:
            raise ValueError(
                f"when needs {FEWEST_TIMES} corpora or more and two different times: with fewer "
                "there is a difference and no trend"
            )

    @property
    def levels(self) -> dict[str, tuple[Any, ...]]:
        """What varies, by factor: its levels in their order."""
        return {
            "corpus": tuple(self.corpora),
            "model": tuple(self.models),
            "window": self.windows,
            "dim": self.dims,
        }

    @property
    def cells(self) -> int:
        """How many models are trained."""
        count = len(self.seeds)
        for levels in self.levels.values():
            count *= len(levels)
        return count

    def kind(self, model: str, dim: int) -> Kind:
        """Return a model of the plan with so many dimensions."""
        settings = dict(self.models[model])
        kind_name = str(settings.pop("kind", model))
        if kind_name not in KINDS:
            hint = f'Say of which kind {model!r} is, as in kind = "glove".'
            raise UnknownNameError("kind of model", kind_name, KINDS, hint=hint)
        kind_class = KINDS[kind_name]
        setting_names = [
            setting.name for setting in fields(kind_class) if setting.name not in GRID_SETTINGS
        ]
        check_names(f"models.{model}", settings, ["kind", *setting_names])
        return get_model(
            kind_name, **parse_settings(kind_class, kind_name, settings), dimensions=dim
        )

    @property
    def settings_of_metrics(self) -> dict[str, Any]:
        """The settings that the metrics share, those that are named."""
        settings: dict[str, Any] = {}
        if self.similarity is not None:
            settings["similarity"] = similarity_named(self.similarity)
        if self.convention is not None:
            settings["effect_size"] = effect_size(self.convention)
        return settings

    @property
    def configured_metrics(self) -> tuple[Metric, ...]:
        """The metrics with their settings."""
        return resolve_metrics(self.metrics, self.settings_of_metrics)


class CheckedStudy(Frozen):
    """A plan whose files, models, suites and metrics were all found."""

    plan: StudyPlan
    files: dict[str, tuple[Path, ...]]
    suites: tuple[str, ...]

    @property
    def tests(self) -> tuple[SelectedTest, ...]:
        """The tests that every model is put to."""
        return tuple(select_tests(self.suites))


def known_keys(location: Location) -> Iterable[str]:
    """Return the valid keys of the table at `location`."""
    return StudyPlan.model_fields if len(location) == 1 else ()


def parse_study(text: str, where: str) -> StudyPlan:
    """Return the plan that `text` (TOML) describes; `where` names it in errors."""
    return parse_toml(text, where, StudyPlan, known_keys)


def read_study(path: Path) -> CheckedStudy:
    """Read a plan and check all of it: files, models, suites, metrics and what is installed.

    Files are searched in the folder of the plan, then in FAIRVEC_DATA.
    """
    if escape_surrogates(str(path)) != str(path):
        raise SettingError(
            f"{path}: its name is not UTF-8, and records name the files of a study; rename the "
            "file or its folder, or go there and name the plan alone."
        )
    plan = parse_study(read_toml(path, "study"), str(path))
    language_codes(plan.language)
    if "lemmas" in plan.words and not has_lemmas(plan.language):
        raise LexiconError(
            f"{path}: words are {plan.words!r} and there are lemmas of {languages_with_lemmas()} "
            "alone; take plain words."
        )
    kinds = [plan.kind(model, dim) for model in plan.models for dim in plan.dims]
    _refuse_equal_models(plan, path)
    for metric in plan.configured_metrics:
        if isinstance(metric, CorpusMetric):
            raise SettingError(
                f"{path}: the metric {metric.name} reads words in sentences, which trained word "
                "vectors do not; take another."
            )
    require_extras(kinds, plan.words, plan.language)
    files = {name: _find_files(places, path.parent) for name, places in plan.corpora.items()}
    suites = tuple(_suite(name, path.parent) for name in plan.suites)
    checked = CheckedStudy(plan=plan, files=files, suites=suites)
    for selected in checked.tests:
        if selected.suite.language != plan.language:
            raise SettingError(
                f"{path}: the suite {selected.suite.id} is in {selected.suite.language} and the "
                f"corpora are in {plan.language}; choose suites of that language."
            )
    return checked


def _refuse_equal_models(plan: StudyPlan, path: Path) -> None:
    """Raise if two models have equal settings: as levels they would not differ."""
    by_kind: dict[Kind, str] = {}
    for model in plan.models:
        first = by_kind.setdefault(plan.kind(model, plan.dims[0]), model)
        if first != model:
            raise SettingError(
                f"{path}: the models {first} and {model} are of one kind with the same settings; "
                "leave one of them out, or give it others."
            )


def _suite(name: str, folder: Path) -> str:
    own = folder / name
    return str(own) if name.endswith(".toml") and is_there(own) else name


def _find_files(places: Iterable[str], folder: Path) -> tuple[Path, ...]:
    """Return the files of a corpus: from the plan's folder, else from FAIRVEC_DATA."""
    data = os.environ.get("FAIRVEC_DATA")
    try:
        return corpus_files([_corpus_path(place, folder, data) for place in places])
    except (OSError, ValueError) as error:  # a name too long, or with a zero byte
        raise LexiconError(
            f"{folder}: a file of corpora cannot be sought ({os_reason(error)}); name another one."
        ) from None


def _corpus_path(place: str, folder: Path, data: str | None) -> Path:
    path = folder / place
    if Path(place).is_absolute() or not data or is_there(path) or glob(str(path), recursive=True):  # noqa: PTH207 - as corpus_files reads it
        return path
    return Path(data).expanduser() / place


_TEMPLATE = """\
# The plan of a study: every corpus is learnt from with every model, window, dimension and seed,
# each model is audited, and the answer says which of them explains how much of the bias.
# Fill it in, then: fairvec study THIS-FILE -o FOLDER

title = "Where the bias comes from"
# ISO 639 code of the corpora and of the word lists
language = {language}
# plain (lower case), cased; in Russian also lemmas or tagged-lemmas
words = "plain"
# At most so many words of each corpus, taken evenly from its lines: corpora of unequal length
# differ by their length too, so name a number that all of them have.
tokens = 1_000_000
# Rarer words are left out, and of the others at most max_words are kept, if it is named
min_count = 5
# max_words = 50_000

# The grid. Seeds are repetitions: two at the least, three or more for a useful interval.
windows = [3, 10]
dims = [100]
seeds = [1, 2, 3]

# Suites ('fairvec suites list', or files of your own) and metrics. All models are asked with the
# words that every corpus has.
suites = [{suite}]
metrics = ["weat"]
# similarity = "cosine"
# convention = "caliskan"

# Files, folders or patterns, in the folder of this plan or in FAIRVEC_DATA; .gz, .xz, .bz2 and .zst
# are unpacked. One sentence or document a line.
[corpora]
first = ["first/*.txt"]
second = ["second.txt.xz"]

# Where corpora have dates: a time for each of them (a year, or 1, 2, 3 for their order), and the
# answer also says whether effects go up or down with it. Three corpora or more; five can be sure.
# [when]
# first = 1950
# second = 1980

# One table for each model: glove, poincare-glove, skipgram, cbow or fasttext. Settings may follow,
# and another name with a kind, as in
#   [models.longer]
#   kind = "glove"
#   epochs = 50
[models.glove]
epochs = 25

[models.skipgram]
epochs = 5
"""


def study_scaffold(language: str = DEFAULT_LANGUAGE) -> str:
    """Return the text of a new plan, complete and commented, with examples to replace."""
    suite = language_named(language).default_suite or "my-suite.toml"
    text = _TEMPLATE.format(language=toml_string(language), suite=toml_string(suite))
    parse_study(text, "the new study")
    return text
