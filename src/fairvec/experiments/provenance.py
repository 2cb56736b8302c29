"""The parts of a record that say where it comes from: model, test, metric, coverage, words."""

from collections import Counter
from dataclasses import fields, is_dataclass
from itertools import zip_longest
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

from fairvec.core.io.cache import digest_of
from fairvec.core.plugins import origin_of
from fairvec.embedding import Embedding
from fairvec.encoders import Representation
from fairvec.encoders.encoder import versions
from fairvec.experiments.audit.inference import Inference
from fairvec.experiments.audit.plan import Statistics
from fairvec.lexicon import Group, Groups, SelectedTest
from fairvec.messages.remarks import among_cut
from fairvec.metrics import Metric, Traits
from fairvec.results import Outcome
from fairvec.results.identities import (
    EndpointProbes,
    MetricIdentity,
    ModelIdentity,
    TestIdentity,
)
from fairvec.results.records import GroupCoverage, WordScore

if TYPE_CHECKING:  # an audit asks no benchmark
    from fairvec.metrics.utility import UtilityMetric

COMPOSED_FROM_PIECES = "composed from pieces"


def composed_words(model: Representation) -> frozenset[str]:
    """Return the words that the model's history calls composed."""
    return frozenset(word for step in model.history for word in step.details.get("composed", ()))


MOST_LISTED = 200
DIGITS = 3
PACKAGE = "package"
"""Among the settings of a metric from outside: the package it comes from."""


def describe_model(model: Representation) -> ModelIdentity:
    """Name the embedding or encoder by its content, not only by its file."""
    probes = None if isinstance(model, Embedding) else model.model.probes
    return ModelIdentity(
        name=model.name,
        sha256=model.content_hash,
        geometry=model.geometry.name,
        curvature=model.geometry.curvature,
        dimensions=model.dimensions,
        words=len(model) if isinstance(model, Embedding) else 0,
        encoder=None if isinstance(model, Embedding) else dict(model.model.settings),
        endpoint=None if probes is None else EndpointProbes(**probes),
        history=tuple(
            {
                "action": step.action,
                **{name: _shorten(value) for name, value in step.details.items()},
            }
            for step in model.history
        ),
    )


def _shorten(value: Any) -> Any:
    """Shorten a long list: it would stand in every record, and the transform's file has it all."""
    if isinstance(value, list) and len(value) > MOST_LISTED:
        return [*value[:MOST_LISTED], f"... {len(value) - MOST_LISTED:,} more"]
    return value


def among_words(test: TestIdentity, model: Representation) -> TestIdentity:
    """Return a test of the whole vocabulary; on a cut its title says among which words it is."""
    if not (isinstance(model, Embedding) and model.is_cut):
        return test
    return test.model_copy(update={"title": f"{test.title}, {among_cut(len(model))}"})


def describe_test(selected: SelectedTest) -> TestIdentity:
    """Carry over all that a reader needs to know of the test."""
    suite, test = selected.suite, selected.test
    return TestIdentity(
        suite=suite.id,
        suite_version=suite.version,
        id=test.id,
        title=test.title,
        category=test.category,
        kind=test.kind,
        tags=test.tags,
        language=suite.language,
        source=suite.source,
        positive_means=test.positive_means,
        negative_means=test.negative_means,
        sensitive=test.sensitive_reason,
        also=selected.also,
    )


def describe_metric(metric: "Metric | UtilityMetric") -> MetricIdentity:
    """Carry over what the metric is, with every setting; a figure of usefulness has no lists.

    One from outside is another metric than its namesake of another package.
    """
    traits: Traits | None = getattr(metric, "traits", None)
    origin = origin_of(type(metric))
    return MetricIdentity(
        name=metric.name,
        needs=getattr(metric, "needs", ()),
        neutral=getattr(metric, "neutral", None),
        meaning=metric.meaning,
        positive=traits.positive if traits else "",
        positive_words=traits.positive_words if traits else "",
        convention=getattr(metric, "convention", None),
        settings=_settings(metric) | ({PACKAGE: origin.package} if origin else {}),
    )


def _settings(configured: Any) -> dict[str, Any]:
    return {field.name: _setting(getattr(configured, field.name)) for field in fields(configured)}


def _setting(value: Any) -> Any:
    """Return a setting as a record can hold it: what is no plain value is known by its name."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, list | tuple):
        return [_setting(item) for item in value]
    if isinstance(value, FunctionType) and "<" in value.__qualname__:
        return f"{value.__qualname__} {_digest_of(value)}"
    if name := getattr(value, "name", None) or getattr(value, "__qualname__", None):
        return name
    return _settings(value) if is_dataclass(value) else type(value).__qualname__


def _digest_of(function: FunctionType) -> str:
    """Return a digest of what a function does: lambdas and local functions share their names."""
    values = [*(cell.cell_contents for cell in function.__closure__ or ())]
    values += function.__defaults__ or ()
    # A function within may hold this one, so that its name has to do.
    held = [getattr(value, "__qualname__", None) or _setting(value) for value in values]
    return digest_of([_constant(function.__code__), held])[:12]


def _constant(value: Any) -> Any:
    """Return a constant of a function's code in plain values."""
    if isinstance(value, CodeType):
        return [value.co_code.hex(), value.co_names, [_constant(one) for one in value.co_consts]]
    if isinstance(value, frozenset):  # in another order in each process
        return sorted(map(repr, value))
    return repr(value)


def record_fields(
    model: Representation,
    test: TestIdentity,
    metric: "Metric | UtilityMetric | MetricIdentity",
    statistics: Statistics,
) -> dict[str, Any]:
    """Return the fields that all records of a measurement share, whatever came of it."""
    described = metric if isinstance(metric, MetricIdentity) else describe_metric(metric)
    similarity = getattr(metric, "similarity", None)
    return {
        "test": test,
        "model": describe_model(model),
        "metric": described.name,
        "described": described,
        "similarity": similarity.name if similarity else "",
        "min_coverage": statistics.min_coverage,
        "seed": statistics.seed,
        "versions": versions(model, metric),
    }


def copied_fields(record: Outcome) -> dict[str, Any]:
    """Return these fields of a record, for another record about the same measurement."""
    names = ("test", "model", "metric", "described", "similarity", "min_coverage")
    return {name: getattr(record, name) for name in (*names, "fitted_words", "seed", "versions")}


def coverage_of(groups: Groups) -> tuple[GroupCoverage, ...]:
    """Say of each list which words were found, how, and which were not."""
    uses = Counter(key for group in groups.groups.values() for key in group.keys)
    composed = composed_words(groups.source)
    return tuple(_coverage_of(group, uses, composed) for group in groups.groups.values())


def _coverage_of(group: Group, uses: Counter[str], composed: frozenset[str]) -> GroupCoverage:
    reached = {found.word.word: found for found in (*group.found, *group.merged)}
    return GroupCoverage(
        role=group.role,
        title=group.wordset.title,
        wanted=len(group.wordset.words),
        found=len(group.found),
        entries={found.word.word: found.key for found in group.found},
        missing={missing.word.word: missing.reason for missing in group.missing},
        matched={word: found.key for word, found in reached.items() if found.key != word},
        how={
            word: how
            for word, found in reached.items()
            if (how := COMPOSED_FROM_PIECES if found.key in composed else found.how) != "exact"
        },
        merged=tuple(found.word.word for found in group.merged),
        shared=tuple(found.word.word for found in group.found if uses[found.key] > 1),
    )


def fitted_words(groups: Groups) -> tuple[str, ...]:
    """Name the words of a test whose vectors a debiasing method saw: it is no test on them."""
    steps = groups.source.history
    fitted_keys = {key for step in steps for key in step.details.get("fitted_on", ())}
    entries = (found for group in groups.groups.values() for found in group.found)
    return tuple(
        dict.fromkeys(entry.word.word for entry in entries if fitted_keys & set(entry.keys))
    )


EQUALISING = ("hard", "multiclass-hard", "double-hard")
"""The methods that equalise, by name: an audit loads nothing that debiases."""


def are_equalised(groups: Groups) -> bool:
    """Return whether a method that equalises was fitted on all words of both attribute lists."""
    equalised = {
        key
        for step in groups.source.history
        if step.details.get("method") in EQUALISING
        for key in step.details.get("fitted_on", ())
    }
    attributes = [groups.groups[role].found for role in "ab" if role in groups.groups]
    return len(attributes) == 2 and all(
        equalised.issuperset(entry.keys) for found in attributes for entry in found
    )


def word_scores(inference: Inference) -> tuple[WordScore, ...]:
    """Join each word's share with its influence and what a reader without the script needs."""
    return tuple(
        WordScore(
            word=share.found.word.word,
            key=share.found.key,
            role=share.role,
            score=share.leaning,
            effect=share.effect,
            to_a=share.closeness[0] if share.closeness else None,
            to_b=share.closeness[1] if share.closeness else None,
            without=without,
            transliteration=share.found.word.transliteration,
            gloss=share.found.word.gloss,
        )
        for share, without in zip_longest(inference.score.words, inference.without)
    )


def similarities(inference: Inference) -> tuple[tuple[float, ...], ...]:
    """Return how similar each target is to each attribute: three digits are more than is seen."""
    table = inference.score.near
    return () if table is None else tuple(map(tuple, table.round(DIGITS).tolist()))
