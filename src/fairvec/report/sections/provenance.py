"""By which rules, with which words, on which models: all that another person needs to repeat it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from fairvec.ground.numbers import counted, percent, whole
from fairvec.ground.text.enumerations import listed
from fairvec.report.sections.arrange import grouped
from fairvec.results import CATEGORY, ModelIdentity, Outcome, Result

_ADDRESS = re.compile(
    r"https?://[^\s<>\"]*[^\s<>\".,;:)]|\bdoi:\s?10\.\d{4,}/[^\s<>\"]*[^\s<>\".,;:)]"
)

_TIES = {
    ">=": "a regrouping as extreme as the observed one counts",
    ">": "only a regrouping more extreme than the observed one counts",
}


@dataclass(frozen=True)
class SuiteUse:
    """A suite as it was used in a run."""

    id: str
    version: str
    language: str
    source: str
    tests: int


def suites(outcomes: Sequence[Outcome]) -> list[SuiteUse]:
    """Return the suites of the run with the number of their tests that were asked."""
    tests = dict.fromkeys(
        one.test for one in outcomes if one.test.kind not in ("movement", "concept", CATEGORY)
    )
    by_suite = grouped(tests, lambda t: (t.suite, t.suite_version, t.language, t.source))
    return [SuiteUse(*suite, tests=len(members)) for suite, members in by_suite.items()]


def models(outcomes: Sequence[Outcome]) -> list[ModelIdentity]:
    """Return each model of the run once."""
    first = {(outcome.model.name, outcome.model.sha256): outcome.model for outcome in outcomes}
    return list(first.values())


def settings(outcomes: Sequence[Outcome]) -> dict[str, list[str]]:
    """Return each setting with every value it had in the run."""
    results = [outcome for outcome in outcomes if isinstance(outcome, Result)]
    intervals = [result.interval for result in results if result.interval]
    sampled = [result.p for result in results if result.p.method == "sampled"]
    found: dict[str, Iterable[str]] = {
        "Metric": (outcome.metric for outcome in outcomes),
        "Similarity": (outcome.similarity for outcome in outcomes),
        "Convention": (
            f"{r.convention.name}: ddof {r.convention.ddof}, denominator {r.convention.denominator}"
            for r in results
        ),
        "Sides of p": (f"{result.p.sides}" for result in results),
        "Ties": (_TIES[result.p.ties] for result in results),
        "p-values": (result.p.method for result in results),
        "Sampling": (f"{whole(p.samples or 0)} draws, seed {p.seed}" for p in sampled),
        "Corrected over": (
            f"{result.family} {result.family_of}"
            if result.family_of
            # As results of the first schema had it.
            else counted(result.family, "test")
            for result in results
        ),
        "Level of the verdict": (f"{result.verdict.alpha:g}, Holm-corrected" for result in results),
        "Interval": (
            f"{percent(i.level)} {i.method}"
            + (f", {whole(i.resamples)} draws, seed {i.seed}" if i.resamples else "")
            for i in intervals
        ),
        "Seed": (str(outcome.seed) for outcome in outcomes),
        "Software": (
            ", ".join(f"{name} {version}" for name, version in outcome.versions.items())
            for outcome in outcomes
        ),
        "Schema of the results": (f"version {outcome.schema_version}" for outcome in outcomes),
    }
    once = {name: list(dict.fromkeys(values)) for name, values in found.items()}
    return {name: values for name, values in once.items() if values}


def steps(model: ModelIdentity) -> list[str]:
    """Return what was done to a model, one line a step."""
    return [
        ", ".join([str(step.get("action", "step")), *_details(step.items())])
        for step in model.history
    ]


def linked(text: str) -> Markup:
    """Return the text, escaped, with its web addresses and DOIs as plain links."""
    parts, end = [], 0
    for match in _ADDRESS.finditer(text):
        address = match[0]
        target = "https://doi.org/" + address[4:].strip() if address[0] == "d" else address
        link = Markup('<a href="{}" rel="noreferrer">{}</a>').format(target, address)
        parts += [escape(text[end : match.start()]), link]
        end = match.end()
    return Markup("").join([*parts, escape(text[end:])])


def _details(items: Iterable[tuple[str, object]]) -> list[str]:
    return [f"{name.replace('_', ' ')} {_said(value)}" for name, value in items if name != "action"]


def _said(value: object) -> str:
    if isinstance(value, list | tuple):
        return listed([_said(part) for part in value])
    return whole(value) if type(value) is int else str(value)
