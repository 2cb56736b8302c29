"""What there is by name: fairvec.list_models, list_suites, list_concepts and list_benchmarks."""

from fairvec import catalogue
from fairvec.catalogue.entries import Dataset, Model
from fairvec.lexicon import Concept, Suite, shipped_concepts, shipped_suites


def list_models(language: str | None = None) -> tuple[Model, ...]:
    """Return the models of the catalogue: what each is, its licence, and where it comes from.

    Args:
        language: Only those of this language, as in "ru".

    >>> import fairvec
    >>> "glove-en-small" in [model.name for model in fairvec.list_models("en")]
    True
    """
    return tuple(one for one in catalogue.models() if language in (None, one.language))


def list_suites(language: str | None = None) -> tuple[Suite, ...]:
    """Return the shipped suites of tests, each with its tests and their words.

    Args:
        language: Only those of this language, as in "hi".

    >>> import fairvec
    >>> "caliskan2017" in [suite.id for suite in fairvec.list_suites("en")]
    True
    """
    return tuple(one for one in shipped_suites() if language in (None, one.language))


def list_concepts(language: str | None = None) -> tuple[Concept, ...]:
    """Return the shipped concepts that can be taken out of a model.

    Args:
        language: Only those of this language, as in "ru".

    >>> import fairvec
    >>> "ru/gender" in [concept.id for concept in fairvec.list_concepts("ru")]
    True
    """
    return tuple(one for one in shipped_concepts() if language in (None, one.language))


def list_benchmarks(language: str | None = None) -> tuple[Dataset, ...]:
    """Return the benchmarks: what each asks, under which licence, and where it comes from.

    Args:
        language: Only those of this language, as in "en".

    >>> import fairvec
    >>> "simlex999" in [benchmark.name for benchmark in fairvec.list_benchmarks("en")]
    True
    """
    return tuple(one for one in catalogue.datasets() if language in (None, one.language))
