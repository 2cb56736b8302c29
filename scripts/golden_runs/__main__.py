"""Compare what users see with what is kept, or keep what they see now."""

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter

from scripts.golden_runs import __doc__ as about
from scripts.golden_runs import reference
from scripts.golden_runs.comparing import COMPUTED, EXACT, Compared, Moved, Nearness, compared
from scripts.golden_runs.running import lacking
from scripts.golden_runs.table import RUNS, Run
from scripts.golden_runs.walks import everything

BESIDE = 2
"""Runs that go on at once."""

SHOWN = 12
"""So much of what moved in one output is named."""


def compare_run(run: Run, found: dict[str, str], exact: bool) -> dict[str, Compared]:
    """Hold a run against what is kept of it, output by output."""
    stored = reference.read(run.name)
    nearness = EXACT if exact else COMPUTED if run.computed else Nearness()
    answers = {}
    for name in [*stored, *(name for name in found if name not in stored)]:
        if name in stored and name in found:
            answers[name] = compared(name, stored[name], found[name], nearness)
        else:
            sides = ("there" if name in side else "not there" for side in (stored, found))
            answers[name] = Compared([Moved("the whole output", *sides)])
    return answers


def print_answers(run: Run, answers: dict[str, Compared]) -> None:
    """Name what moved in a run."""
    for name, answer in answers.items():
        for moved in answer.moved[:SHOWN]:
            print(f"{run.name}/{name}: {moved}")
        if len(answer.moved) > SHOWN:
            print(f"{run.name}/{name}: and {len(answer.moved) - SHOWN} more")


def chosen(names: list[str]) -> list[Run]:
    """Return the runs of these names, or all."""
    known = {run.name: run for run in RUNS}
    if unknown := [name for name in names if name not in known]:
        sys.exit(f"There is no run named {', '.join(unknown)}; known: {', '.join(known)}.")
    return [known[name] for name in names] or list(RUNS)


def main() -> int:
    """Make the runs, and return 1 if anything moved."""
    options = argparse.ArgumentParser(
        prog="golden_runs", description=about, formatter_class=argparse.RawTextHelpFormatter
    )
    options.add_argument("--only", nargs="+", default=[], metavar="NAME", help="these runs alone")
    options.add_argument("--renew", nargs="*", metavar="NAME", help="keep what is seen now")
    options.add_argument("--exact", action="store_true", help="last digits count too")
    options.add_argument("--list", action="store_true", help="name the runs")
    arguments = options.parse_args()
    runs = chosen(arguments.only or arguments.renew or [])
    if arguments.list:
        print("\n".join(run.name for run in runs))
        return 0
    return go_through(runs, renew=arguments.renew is not None, exact=arguments.exact)


def go_through(runs: list[Run], *, renew: bool, exact: bool) -> int:
    """Make these runs two at a time, tell what moved as they end, and count."""
    began = perf_counter()
    ready = [run for run in runs if not lacking(run)]
    for run in runs:
        if run not in ready:
            print(f"{run.name}: skipped, it needs {lacking(run)}")
    counts = {"outputs": 0, "records and lines": 0}
    nearly = moved = 0
    with ThreadPoolExecutor(BESIDE) as pool:
        for run, found in zip(ready, pool.map(everything, ready), strict=True):
            answers = compare_run(run, found, exact or renew)
            print_answers(run, answers)
            if renew:
                reference.write(run.name, found)
            counts["outputs"] += len(answers)
            counts["records and lines"] += sum(one.records for one in answers.values())
            nearly += sum(one.nearly for one in answers.values())
            moved += sum(bool(one.moved) for one in answers.values())
    compared_with = ", ".join(f"{number:,} {what}" for what, number in counts.items())
    summary = f"{len(ready)} of {len(runs)} runs, {compared_with}, {perf_counter() - began:.0f} s"
    last = f"; {nearly:,} numbers or digests differ as another machine's may" if nearly else ""
    if renew:
        print(f"Kept: {summary}; {moved} outputs are not what they were.")
        return 0
    print(f"{moved} outputs moved ({summary}){last}." if moved else f"All equal: {summary}{last}.")
    return 1 if moved else 0


if __name__ == "__main__":
    sys.exit(main())
