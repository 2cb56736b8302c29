"""Check one metric or one method against all laws."""

from collections.abc import Callable, Iterable

from fairvec.core.errors import BrokenLawError, SettingError
from fairvec.core.format import Item
from fairvec.geometry import Geometry
from fairvec.metrics import Metric, as_metric
from fairvec.mitigation import Debiaser
from fairvec.mitigation.plugins import as_method
from fairvec.testing.method_laws import (
    METHOD_LAWS,
    METHOD_SPACES,
    MethodLaw,
    held_out_vectors_make_no_difference,
)
from fairvec.testing.metric_laws import METRIC_LAWS, MetricLaw
from fairvec.testing.planted import CONCEPT_COLUMNS, reporting_law, spaces_of, variants_of

SEEDS = range(5)


def check_metric(
    metric: Metric, *, seeds: Iterable[int] = SEEDS, laws: Iterable[MetricLaw] = METRIC_LAWS
) -> None:
    """Raise BrokenLawError unless a metric obeys the laws of metrics.

    Its traits are checked on random vocabularies with a planted bias, one for each of the
    `seeds`, in flat space, in the ball and in a product of balls (flat space alone if it is
    `flat_only`), with every similarity that it can have. The vocabulary has 58 words in 6
    dimensions, lists of 5, 5, 4 and 4 words among them: give settings that fit that, as in
    neighbours=8.
    """
    try:
        checked = as_metric(metric, f"The metric {type(metric).__name__}")
    except SettingError as error:
        raise BrokenLawError(str(error)) from error
    seeds, laws = _not_empty(seeds, "seeds"), _not_empty(laws, "laws")
    for variant in variants_of(checked):
        by = f" by {variant.similarity.name}" if variant.similarity else ""
        for space in spaces_of(variant):
            for law in laws:
                for seed in seeds:
                    with reporting_law(
                        _where(variant.name, f"{space.name} space{by}, seed {seed}", law)
                    ):
                        law(variant, space, seed)


def check_method(
    method: Debiaser,
    *,
    spaces: Iterable[Geometry] = METHOD_SPACES,
    looks_around: bool = False,
    laws: Iterable[MethodLaw] = METHOD_LAWS,
) -> None:
    """Raise BrokenLawError unless a debiasing method obeys the laws of methods.

    It is fitted on a vocabulary with a planted concept, 177 words in 10 dimensions, in each of the
    `spaces`: name those in which it works. A method that `looks_around`, at the neighbours of a
    word in the full vocabulary, is excused from the law that vectors of held-out words make no
    difference.
    """
    try:
        as_method(type(method), f"The method {type(method).__name__}")
    except SettingError as error:
        raise BrokenLawError(str(error)) from error
    laws = _not_empty(laws, "laws")
    for space in _not_empty(spaces, "spaces"):
        balls = getattr(space, "balls", 1)
        if CONCEPT_COLUMNS % balls:
            raise SettingError(
                f"The planted words have {CONCEPT_COLUMNS} dimensions, which are not cut into "
                f"{balls} equal balls; say poincare-x5."
            )
        for law in laws:
            if looks_around and law is held_out_vectors_make_no_difference:
                continue
            curved = f", c = {space.curvature:g}" if space.curvature else ""
            with reporting_law(_where(method.name, f"{space.name} space{curved}", law)):
                law(method, space)


def _not_empty(given: Iterable[Item], name: str) -> list[Item]:
    """Return a list, as a generator is empty after its first walk; nothing would pass as obeyed."""
    items = [*given]
    if not items:
        raise SettingError(f"No {name} are given, so that nothing is checked; name one at least.")
    return items


def _where(name: str, where: str, law: Callable[..., None]) -> str:
    return f"{name} ({where}) breaks the law '{law.__name__.replace('_', ' ')}'"
