"""python -m fuzz: hunt for a while, and say how many cases were tried and what was found.

Exit codes: 0 nothing was found; 1 something was; 2 wrong arguments; 3 the hunt itself is at fault.
"""

import argparse
import secrets
import sys
import time
import warnings
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from fairvec.core.warnings import FairvecWarning
from fuzz.cases import Case, read_case
from fuzz.hunt import Hunt
from fuzz.table import table
from fuzz.targets import every_target, laid_over, warmed
from fuzz.verdicts import Finding

KEPT = Path("runs/fuzz")
FOUND, AT_FAULT = 1, 3


def main() -> int:
    """Return the exit code."""
    asked = _asked()
    warnings.simplefilter("ignore", FairvecWarning)  # honest files are small, and may be of a ball
    seed = secrets.randbelow(10**9) if asked.seed is None else asked.seed
    name = read_case(asked.again).target if asked.again else None
    print(f"seed {seed}: making honest files and reading each of them", flush=True)
    with TemporaryDirectory(prefix="fuzz-seeds-") as folder:
        targets = every_target(Path(folder), [name] if name else asked.target, asked.but)
        again = None
        if name:
            # Others may have names that only begin so.
            targets = {name: targets[name]}
            again = laid_over(targets[name], asked.again)
        warmed(targets.values(), Path(folder))
        hunt = Hunt(targets, seed, asked.minutes * 60, asked.workers, asked.cases, again)
        kept = asked.keep / f"{time.strftime('%Y%m%d-%H%M%S')}-{seed}"
        hunt.on_finding = partial(_keep, folder=kept)
        print(f"{len(targets)} targets, {asked.minutes:g} minutes", flush=True)
        hunt.run()
    print(table(hunt))
    if hunt.found and not again:
        print(f"To try one again: {Path(sys.executable).name} -m fuzz --again FILE")
    for fault in hunt.faults:
        print(f"The hunt itself failed: {fault}", file=sys.stderr)
    return AT_FAULT if hunt.faults else FOUND if hunt.found else 0


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m fuzz",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, help="repeats the cases of an earlier hunt")
    parser.add_argument("--target", action="append", help="those whose names begin so")
    parser.add_argument("--but", action="append", default=[], help="not this one")
    parser.add_argument("--again", type=Path, help="one case that was kept")
    parser.add_argument("--cases", type=int, help="beside crafted ones so many of each target")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--keep", type=Path, default=KEPT, help="where findings are kept")
    return parser.parse_args()


def _keep(finding: Finding, case: Case, twice: bool, *, folder: Path) -> None:
    """Write a case that did what it must not do, to be looked at and tried again."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{finding.target}-{len(list(folder.iterdir())):03}.json"
    path.write_text(case.as_json(f"{finding.kind} {finding.place}\n{finding.details}"))
    often = "" if twice else ", once and not again"
    print(f"{finding.target}: {finding.kind} in {finding.place or '?'}{often} ({path})", flush=True)


if __name__ == "__main__":
    sys.exit(main())
