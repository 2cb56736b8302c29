"""Which models open the page."""

from collections import Counter
from collections.abc import Sequence

from fairvec.report.sections.arrange import Series, Shown, grouped
from fairvec.results import CATEGORY, Description, Outcome, Skipped


def opening(outcomes: Sequence[Outcome], series: Sequence[Series]) -> tuple[Series, ...]:
    """Return the series, and one for each further model that was described and put to no test."""
    tested = {_content(entry.outcome) for one in series for entry in one.entries}
    known = [
        outcome
        for outcome in outcomes
        if isinstance(outcome, Description | Skipped)
        and outcome.test.kind != CATEGORY
        and _content(outcome) not in tested
    ]
    described = {(_content(one), one.test) for one in known if isinstance(one, Description)}
    further = grouped(
        # A test that one measure skipped and another described was not skipped.
        (
            one
            for one in known
            if isinstance(one, Description) or (_content(one), one.test) not in described
        ),
        _content,
    )
    names = Counter(name for name, _ in further)
    return *series, *(
        Series(
            name if names[name] == 1 else f"{name}, {content[:8]}",
            tuple(Shown("measures", outcome) for outcome in members),
        )
        for (name, content), members in further.items()
    )


def _content(outcome: Outcome) -> tuple[str, str]:
    return outcome.model.name, outcome.model.sha256
