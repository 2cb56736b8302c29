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

from fairvec.core.errors import FairvecWarning
from fuzz.cases import Case, read_case
from fuzz.hunt import Hunt
from fuzz.table import table
from fuzz.targets import every_target, laid_over, warmed
from fuzz.verdicts import Finding

FINDINGS_FOLDER = Path("runs/fuzz")
FOUND, AT_FAULT = 1, 3


def main() -> int:
    """Return the exit code."""
    options = _parse_arguments()
    warnings.simplefilter("ignore", FairvecWarning)  # honest files are small, and may be of a ball
    seed = secrets.randbelow(10**9) if options.seed is None else options.seed
    name = read_case(options.again).target if options.again else None
    print(f"seed {seed}: making honest files and reading each of them", flush=True)
    with TemporaryDirectory(prefix="fuzz-seeds-") as folder:
        targets = every_target(Path(folder), [name] if name else options.target, options.but)
        again = None
        if name:
            # Others may have names that only begin so.
            targets = {name: targets[name]}
            again = laid_over(targets[name], options.again)
        warmed(targets.values(), Path(folder))
        hunt = Hunt(targets, seed, options.minutes * 60, options.workers, options.cases, again)
        run_folder = options.keep / f"{time.strftime('%Y%m%d-%H%M%S')}-{seed}"
        hunt.on_finding = partial(_keep, folder=run_folder)
        print(f"{len(targets)} targets, {options.minutes:g} minutes", flush=True)
        hunt.run()
    print(table(hunt))
    if hunt.found and not again:
        print(f"To try one again: {Path(sys.executable).name} -m fuzz --again FILE")
    for fault in hunt.faults:
        print(f"The hunt itself failed: {fault}", file=sys.stderr)
    return AT_FAULT if hunt.faults else FOUND if hunt.found else 0


def _parse_arguments() -> argparse.Namespace:
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
    parser.add_argument(
        "--keep", type=Path, default=FINDINGS_FOLDER, help="where findings are kept"
    )
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
