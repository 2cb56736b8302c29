"""Two runs side by side: what a change did to each verdict."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fairvec.errors import SettingError
from fairvec.geometry import FloatArray
from fairvec.results import Change, ChangeKind, ConceptView, Outcome, PairedP, Result, Skipped
from fairvec.stats import holm, paired_test, shares_of_difference

NOTICEABLE = 0.1
"""A change of |d| up to this is called unchanged."""


@dataclass(frozen=True)
class Comparison:
    """One test before and after; p is two-sided and corrected over the tests that are compared.

    `paired` tests the change itself, word by word: it may be sure where both verdicts are not.
    """

    before: Outcome
    after: Outcome
    p_before: float | None
    p_after: float | None
    change: ChangeKind

    @cached_property
    def paired(self) -> PairedP | None:
        """The test of the change itself, made when it is first asked for: it may take a while."""
        return paired_words(self.before, self.after)

    @property
    def same_words(self) -> bool:
        """Whether both runs found the same words: otherwise the words may be what changed."""
        return [g.missing for g in self.before.coverage] == [g.missing for g in self.after.coverage]


@dataclass(frozen=True)
class RunComparison:
    """Every test that two runs share, and how many they do not."""

    pairs: tuple[Comparison, ...]
    unpaired: int


def compare(before: Sequence[Outcome], after: Sequence[Outcome]) -> RunComparison:
    """Pair two runs by test and settings, and by model where there are several.

    p-values are corrected over the shared tests, so that a longer run does not look like a change.
    Lower d is not better d: an effect that turned around is REVERSED, one that appeared is
    INTRODUCED, and neither is an improvement. Lines that are about a change already are left out.
    """
    before, after = ([one for one in run if not _of_a_change(one)] for run in (before, after))
    by_model = any(len({outcome.model.name for outcome in run}) > 1 for run in (before, after))
    earlier, later = (
        {_pairing(outcome, by_model=by_model): outcome for outcome in run}
        for run in (before, after)
    )
    shared = [key for key in later if key in earlier]
    if not shared:
        raise SettingError(
            "The two runs share no test of the same version, metric and similarity"
            f"{' in models of the same name' if by_model else ''}; run them with the same suites."
        )
    old, new = ([run[key] for key in shared] for run in (earlier, later))
    pairs = zip(old, new, _corrected(old), _corrected(new), strict=True)
    return RunComparison(
        pairs=tuple(
            Comparison(
                was,
                is_now,
                p_was,
                p_is,
                change(was, is_now, p_was, p_is),
            )
            for was, is_now, p_was, p_is in pairs
        ),
        unpaired=len(earlier.keys() ^ later.keys()),
    )


def change(
    before: Outcome, after: Outcome, p_before: float | None, p_after: float | None
) -> ChangeKind:
    """Say what happened to one effect; where no word leans any more, it is removed.

    A verdict may tip although the effect hardly moved. So an effect is removed only if no more than
    half of it is left; one that turned round and is still as large as that is `turned`, unless it
    is significant, which is reversed. And it is introduced only if the change itself is evident,
    word by word.
    """
    if not isinstance(before, Result) or p_before is None:
        return "no-answer"
    if isinstance(after, Skipped) and after.cause == "no-spread":
        return "removed" if p_before < before.verdict.alpha else "no-evidence"
    if not isinstance(after, Result) or p_after is None:
        return "no-answer"
    was, is_now = p_before < before.verdict.alpha, p_after < after.verdict.alpha
    turned = before.effect * after.effect < 0
    grown = abs(after.effect) - abs(before.effect)
    match was, is_now:
        case False, False:
            return "no-evidence"
        case False, True:
            larger = turned or grown > NOTICEABLE
            return "introduced" if larger and _is_evident(before, after) else "unchanged"
        case True, False if abs(after.effect) <= abs(before.effect) / 2:
            return "removed"
        case True, False if turned:
            return "turned"
        case True, True if turned:
            return "reversed"
    if abs(grown) <= NOTICEABLE or (grown > 0 and not is_now):
        return "unchanged"
    return "increased" if grown > 0 else "reduced"


def _is_evident(before: Result, after: Result) -> bool:
    """Return whether the paired test finds a change; true where there is nothing to pair."""
    found = paired_words(before, after)
    return found is None or found.value < after.verdict.alpha


def paired_words(before: Outcome, after: Outcome) -> PairedP | None:
    """Test the change of mean(X) - mean(Y) over the leanings of the words that both runs found."""
    if not (isinstance(before, Result) and isinstance(after, Result)):
        return None
    leanings = [{(w.role, w.word): w.score for w in one.words} for one in (before, after)]
    shared = [word for word in leanings[0] if word in leanings[1]]
    roles = np.array([role for role, _ in shared])
    if not {"x", "y"} <= {role for role, _ in shared}:
        return None
    rows = (np.array([leaning[word] for word in shared]) for leaning in leanings)
    shares = (shares_of_difference(row[roles == "x"], row[roles == "y"]) for row in rows)
    return paired(*shares, seed=after.seed)


def paired(before: FloatArray, after: FloatArray, *, seed: int) -> PairedP:
    """Test the change of a figure, given the share of each item in it before and after."""
    p = paired_test(before, after, seed=seed)
    return PairedP(
        value=p.value,
        low=p.low,
        high=p.high,
        method="sampled" if p.method == "sampled" else "exact",
        changed=p.partitions.bit_length() - 1,
        samples=p.samples,
        standard_error=p.standard_error,
        seed=p.seed,
    )


def _corrected(outcomes: Sequence[Outcome]) -> list[float | None]:
    """Return Holm's p of each test that has an answer, corrected within each model."""
    corrected: list[float | None] = [None] * len(outcomes)
    answered = [
        (position, outcome.model.name, outcome.verdict.p)
        for position, outcome in enumerate(outcomes)
        if isinstance(outcome, Result)
        and outcome.verdict.kind not in ("too-few-words", "no-verdict")
    ]
    for model in {name for _, name, _ in answered}:
        family = [(position, p) for position, name, p in answered if name == model]
        adjusted = holm(np.array([p for _, p in family])).tolist()
        for (position, _), p in zip(family, adjusted, strict=True):
            corrected[position] = p
    return corrected


def _of_a_change(outcome: Outcome) -> bool:
    return isinstance(outcome, Change | ConceptView) or outcome.test.kind == "movement"


def _pairing(outcome: Outcome, *, by_model: bool) -> tuple[str, ...]:
    test = (outcome.test.id, outcome.test.suite_version, outcome.metric, outcome.similarity)
    return (outcome.model.name, *test) if by_model else test
