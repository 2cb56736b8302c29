"""What a hunt did, as a table for people."""

from fuzz.hunt import Hunt, Tally

WEAK = 0.1
"""Where fewer changed cases are read to their end, changes break what every reader looks at."""
COLUMNS = ("cases", "accepted", "refused", "findings", "once", "a second")


def table(hunt: Hunt) -> str:
    """Return a line for each target and one for all; seconds are those that workers computed."""
    lines = ["", f"{'target':<32}" + "".join(f"{name:>10}" for name in COLUMNS)]
    total = Tally()
    for name, tally in hunt.tallies.items():
        target = hunt.targets[name]
        changed = max(0, tally.cases - len(target.crafted))
        weak = not target.refuses and not tally.findings and tally.accepted < WEAK * changed
        lines.append(_line(name, tally) + ("  few are accepted" if weak else ""))
        for field in vars(total):
            setattr(total, field, getattr(total, field) + getattr(tally, field))
    lines.append(_line("all", total))
    lines.append(
        f"{total.cases:,} cases in {total.seconds:,.0f} seconds of computing, "
        f"{total.findings} findings (seed {hunt.seed})"
    )
    return "\n".join(lines)


def _line(name: str, tally: Tally) -> str:
    speed = tally.cases / tally.seconds if tally.seconds else 0.0
    counts = (tally.cases, tally.accepted, tally.refused, tally.findings, tally.once)
    return f"{name:<32}" + "".join(f"{n:>10,}" for n in counts) + f"{speed:>10,.0f}"
