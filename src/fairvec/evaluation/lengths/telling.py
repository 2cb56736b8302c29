"""How many words a test needs, in sentences that promise no more than the words at hand can."""

from fairvec.ground.numbers import signed
from fairvec.results import ListsNeeded, WordsNeeded
from fairvec.stats.power import MOST_TO_DETECT

SELDOM = 0.025
"""So often lists are significant with either sign where there is no effect at all."""


def told(found: WordsNeeded) -> str:
    """Say what new lists would show, and on what that rests."""
    return " ".join([*(_of_lists(found, each) for each in found.lists), _rests_on(found)])


def _of_lists(found: WordsNeeded, lists: ListsNeeded) -> str:
    names = " and ".join(lists.titles)
    own = " and ".join(map(str, lists.own))
    longest = lists.lengths[-1].words
    each = "in each of them " if len(lists.roles) > 1 else ""
    power = (
        f"{lists.for_power} words {each}make {found.power:.0%} of new lists significant"
        if lists.for_power
        else f"up to {longest} words {each}do not make {found.power:.0%} of new lists significant"
    )
    spread = (
        f"from {lists.for_spread} on their d lies within ±{found.within:g}"
        if lists.for_spread
        else f"their d does not come within ±{found.within:g}"
    )
    return f"{names} ({own} words here): {power}, and {spread}.{_contrary(lists)}"


def _contrary(lists: ListsNeeded) -> str:
    """Warn of lists as long as those at hand that would be sure of the contrary."""
    here = [point for point in lists.lengths if point.words >= max(lists.own)]
    if not here or here[0].new.opposite < SELDOM:
        return ""
    point = here[0]
    return (
        f" Of new lists of {point.words} words {point.new.opposite:.0%} are significant with the "
        "other sign."
    )


def _rests_on(found: WordsNeeded) -> str:
    """Say what the answer takes for granted: that the true effect is the one seen."""
    seen = f"That holds if the true effect is the one seen, {signed(found.effect)}"
    interval = found.interval
    if interval is None or interval.low <= 0 <= interval.high:
        return (
            f"{seen}; these words do not rule out that there is none, and then no length is enough."
        )
    if found.by_formula_at_end is None:
        return (
            f"{seen}; the nearer end of its interval is next to 0, and for that target lists would "
            f"need more than {MOST_TO_DETECT:,} words each."
        )
    end = min(interval.low, interval.high, key=abs)
    return (
        f"{seen}; were it {signed(end)}, the nearer end of its interval, target lists would need "
        f"{found.by_formula_at_end} words each."
    )
