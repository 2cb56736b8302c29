"""What the linter found, and which of it the suite itself explains."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from fairvec.languages.spelling import plain
from fairvec.lexicon.suite_lists.suite import Waiver


@dataclass(frozen=True)
class LintFinding:
    """One thing about a list that a reader should know; `waived` is the suite's reason for it."""

    code: str
    where: str
    words: tuple[str, ...]
    message: str
    waived: str | None = None


def with_waivers(
    findings: Iterable[LintFinding], waivers: Sequence[Waiver]
) -> Iterator[LintFinding]:
    """Give each finding with the reason that waives it, then a finding per idle waiver."""
    found = tuple(findings)
    for finding in found:
        reasons = (waiver.reason for waiver in waivers if _covers(waiver, finding))
        yield replace(finding, waived=next(reasons, None))
    for waiver in waivers:
        covered = [finding for finding in found if _covers(waiver, finding)]
        words = {plain(word) for finding in covered for word in finding.words}
        idle = tuple(word for word in waiver.words if plain(word) not in words)
        if idle or not covered:
            about = f" of {', '.join(idle)}" if idle else ""
            message = f"the waiver of {waiver.finding}{about} has nothing to waive; remove it"
            yield LintFinding("unused-waiver", waiver.where, idle, message)


def _covers(waiver: Waiver, finding: LintFinding) -> bool:
    if (waiver.finding, waiver.where) != (finding.code, finding.where):
        return False
    return not waiver.words or {plain(word) for word in finding.words} <= {
        plain(word) for word in waiver.words
    }
