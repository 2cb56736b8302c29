"""Whether enough of a test's words were found to measure it."""

from fractions import Fraction

from fairvec.lexicon import Groups
from fairvec.metrics import Metric, ReadsCorpus

LOWER_IT = "lower the smallest coverage (--min-coverage)"
"""What helps whoever runs a command; a page that has no such option says something else."""
FEWEST = {"x": 2, "y": 2, "words": 2, "a": 1, "b": 1}
"""Below this a list of targets has no spread, and one of attributes no mean."""


def shortfall(groups: Groups, metric: Metric, smallest_coverage: float) -> str:
    """Return what is missing for the metric, in one sentence; nothing if all is there."""
    for role in metric.needs:
        if not groups.filling(role):
            return f"The test has no list {role!r}, which the metric {metric.name} needs."
    # In whole numbers: of ten words nine are 90 %, and no float says so.
    most_missing = 1 - Fraction(str(smallest_coverage))
    for group in (group for role in metric.needs for group in groups.filling(role)):
        found, wanted = len(group.found), len(group.wordset.words)
        if len(group.missing) > most_missing * wanted:
            verb = "was" if found == 1 else "were"
            return (
                f"Only {found} of {wanted} {group.wordset.title} {verb} found, less than "
                f"{smallest_coverage:.0%}; use a model that knows these words or {LOWER_IT}."
            )
        if found < FEWEST[group.role]:
            return (
                f"Only {found} of {wanted} {group.wordset.title} could be used and "
                f"{FEWEST[group.role]} are needed; use a model that knows more of them."
            )
    return ""


def usable_by(metric: Metric, groups: Groups) -> Groups:
    """Return the lists as a metric can use them: a word that it finds in no context is missing."""
    if isinstance(metric, ReadsCorpus) and all(groups.filling(role) for role in metric.needs):
        return metric.usable(groups)
    return groups
