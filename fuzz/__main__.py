"""python -m fuzz: hunt for a while, and say how many cases were tried and what was found."""

import argparse
import secrets
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from fuzz.cases import Case, read_case
from fuzz.hunt import Hunt
from fuzz.targets import every_target, warmed
from fuzz.verdicts import Finding

KEPT = Path("runs/fuzz")


def main() -> int:
    """Return 1 if anything was found."""
    asked = _asked()
    seed = secrets.randbelow(10**9) if asked.seed is None else asked.seed
    again = read_case(asked.again) if asked.again else None
    names = [again.target] if again else asked.target
    print(f"seed {seed}: making honest files", flush=True)
    with TemporaryDirectory(prefix="fuzz-seeds-") as folder:
        targets = every_target(Path(folder), names, asked.but)
        warmed(targets.values(), Path(folder))
        hunt = Hunt(targets, seed, asked.minutes * 60, workers=asked.workers, most=asked.cases)
        if again:
            hunt.again = asked.again
        kept = asked.keep / f"{time.strftime('%Y%m%d-%H%M%S')}-{seed}"
        hunt.on_finding = lambda finding, case: _keep(finding, case, kept)
        print(f"{len(targets)} targets, {asked.minutes:g} minutes", flush=True)
        hunt.run()
    _tell(hunt)
    return int(bool(hunt.found))


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, help="repeats the cases of an earlier hunt")
    parser.add_argument("--target", action="append", help="only this one; several may be named")
    parser.add_argument("--but", action="append", default=[], help="not this one")
    parser.add_argument("--again", type=Path, help="one case that was kept")
    parser.add_argument("--cases", type=int, help="beside crafted ones so many of each target")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--keep", type=Path, default=KEPT, help="where findings are kept")
    return parser.parse_args()


def _keep(finding: Finding, case: Case, folder: Path) -> None:
    """Write a case that did what it must not do, to be looked at and tried again."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{finding.target}-{len(list(folder.iterdir())):03}.json"
    path.write_text(case.as_json(f"{finding.kind} {finding.place}\n{finding.details}"))
    print(f"{finding.target}: {finding.kind} in {finding.place or '?'} ({path})", flush=True)


def _tell(hunt: Hunt) -> None:
    print(f"\n{'target':<36}{'cases':>10}{'a second':>10}{'findings':>10}")
    for name, tally in hunt.tallies.items():
        speed = tally.cases / tally.seconds if tally.seconds else 0
        print(f"{name:<36}{tally.cases:>10,}{speed:>10,.0f}{tally.findings:>10}")
    cases = sum(tally.cases for tally in hunt.tallies.values())
    print(f"{'all':<36}{cases:>10,}{'':>10}{len(hunt.found):>10}   (seed {hunt.seed})")


if __name__ == "__main__":
    sys.exit(main())
