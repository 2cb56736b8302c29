"""The one call that most users need."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import fields
from inspect import signature
from typing import Any

from fairvec.embedding import Embedding
from fairvec.evaluation.choosing.choose import fitting_suites, tests_for
from fairvec.evaluation.choosing.languages import Fit
from fairvec.evaluation.runs.asked_metrics import AskedMetrics, asked_metrics, refuse_contradictions
from fairvec.evaluation.runs.plan import Audit, Plan, Statistics
from fairvec.evaluation.runs.run import Progress, run
from fairvec.geometry import natural_similarity
from fairvec.geometry import similarity as similarity_named
from fairvec.ground.errors import SettingError, UnknownNameError
from fairvec.lexicon import Selected, select
from fairvec.metrics import effect_size
from fairvec.results import Outcome


def audit(
    *embeddings: Embedding,
    suites: str | Sequence[str] | None = None,
    metrics: AskedMetrics = "weat",
    similarity: str | None = None,
    convention: str | None = None,
    permute: str | None = None,
    language: str | Sequence[str] | None = None,
    on_choice: Callable[[Embedding, list[Fit]], None] | None = None,
    progress: Progress | None = None,
    **statistics: Any,
) -> list[Outcome]:
    """Measure the embeddings with the suites and return one outcome per embedding and test.

    `suites` names suites, tests, languages or files; without it every shipped suite that fits an
    embedding and is in its `language` (or languages; else what is known or found of it) is used,
    and `on_choice` hears of that choice. `metrics` are names or objects with settings of their own,
    as in ["weat", DirectBias(strictness=2)]. `similarity`, `convention` (caliskan unless named) and
    `permute` (whether SEAT regroups words or sentences) are for those that are named, and an object
    that contradicts one is refused. Without `similarity` named ones compare points in the
    geometry's own way: cosine in flat space, negative distance in the ball. `statistics` are the
    fields of Statistics: sides, ties, seed and so on.
    """
    # Everything is checked before the work begins, so that a slip costs no time.
    if not embeddings or not all(isinstance(embedding, Embedding) for embedding in embeddings):
        raise SettingError("Give one or more embeddings, as in audit(fairvec.load(path), ...).")
    if language is not None:
        embeddings = tuple(embedding.speaking(language) for embedding in embeddings)
    settings = _statistics(statistics)
    chosen = _chosen(suites)
    named: dict[str, Any] = {} if permute is None else {"permute": permute}
    if similarity is not None:
        named["similarity"] = similarity_named(similarity)
    if convention is not None:
        named["effect_size"] = effect_size(convention)
    refuse_contradictions(metrics, named)
    audits = []
    for embedding in _named_apart(embeddings):
        usual = {"similarity": natural_similarity(embedding.geometry)}
        fits = [] if chosen else fitting_suites(embedding)
        for measure in asked_metrics(metrics, usual | named):
            audits.append(Audit(embedding, chosen or tests_for(measure, fits), measure))
        if on_choice and not chosen:
            used = {each.suite.id for one in audits for each in one.tests}
            on_choice(embedding, [fit for fit in fits if fit.suite.id in used])
    return run(Plan(tuple(audits), settings), progress)


def _statistics(settings: dict[str, Any]) -> Statistics:
    known = [field.name for field in fields(Statistics)]
    for setting in settings:
        if setting not in known:
            raise UnknownNameError("setting", setting, [*known, *signature(audit).parameters])
    return Statistics(**settings)


def _chosen(suites: str | Sequence[str] | None) -> tuple[Selected, ...]:
    """Return the tests asked for; none if they are to be chosen by what an embedding knows."""
    if suites is None:
        return ()
    if not suites:
        raise SettingError("suites= names no suite; leave it out to use those that fit.")
    return tuple(select([suites] if isinstance(suites, str) else suites))


def _named_apart(embeddings: Sequence[Embedding]) -> list[Embedding]:
    """Number the embeddings that share a name, so that no row of a comparison is ambiguous."""
    uses = Counter(embedding.name for embedding in embeddings)
    seen: Counter[str] = Counter()
    apart = []
    for embedding in embeddings:
        seen[embedding.name] += 1
        label = f"{embedding.name} ({seen[embedding.name]})"
        apart.append(embedding.named(label) if uses[embedding.name] > 1 else embedding)
    return apart
