"""Break one line at a time where numbers are made, and see which breaks the tests do not notice.

python -m scripts.mutants [--count 80] [--seed 1] [--room stats ...] [--jobs 2] [--list]

A mutant is one change of one expression: a comparison, a sign, a bound, a constant, min for max,
abs left out. They are drawn by the seed from every module of the rooms below, each module at least
once. The tests of a mutant's room, which must pass on the source as it is, run until one fails
(killed); where all pass, it survived: a test is missing, or the change makes no difference, and
`EQUIVALENT` says why. The exit code is 1 where an unexplained one survived.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "fairvec"
MINUTES = 10
"""How long the tests of one mutant may take; one that does not end is noticed, too."""

ROOMS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "stats": (
        ("stats",),
        ("tests/stats", "tests/laws/test_stats_laws.py", "tests/laws/test_interval_laws.py"),
    ),
    "geometry": (
        ("geometry",),
        ("tests/geometry", "tests/laws/test_geometry_laws.py", "tests/laws/test_direction_laws.py"),
    ),
    "metrics": (
        ("metrics/bias",),
        ("tests/metrics", "tests/laws/test_seat_laws.py", "tests/laws/test_metric_laws.py"),
    ),
    "changes": (
        ("experiments/comparison",),
        ("tests/experiments/comparison", "tests/laws/test_audit_laws.py"),
    ),
    "families": (
        ("experiments/audit",),
        ("tests/experiments/audit", "tests/laws/test_audit_laws.py"),
    ),
}
"""By room: the folders that are broken, and the tests that shall notice."""

EQUIVALENT: dict[str, str] = {}
"""Mutants, as `--list` prints them less their line, that change no answer, each with the reason."""

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
}
LIMITS = 1000
"""Whole numbers from here on say how much work or memory is allowed: no answer depends on them."""
RENAMED = {"min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum"} | {
    "any": "all",
    "all": "any",
    "floor": "ceil",
    "ceil": "floor",
    "sinh": "tanh",
    "tanh": "sinh",
}


@dataclass(frozen=True)
class Mutant:
    """One expression of one module, and what takes its place."""

    room: str
    module: str
    line: int
    start: int
    end: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.module}:{self.line}  {self.before}  ->  {self.after}"

    @property
    def name(self) -> str:
        """What it is called where lines move."""
        return f"{self.module}  {self.before}  ->  {self.after}"

    def break_source(self, source: bytes) -> bytes:
        """Return the module with this one change."""
        return source[: self.start] + self.after.encode() + source[self.end :]


def change_expression(node: ast.expr) -> ast.expr | None:
    """Return an expression that is near and wrong, or None where there is no such thing."""
    match node:
        case ast.Compare(left, [operator], [right]) if type(operator) in COMPARED:
            return ast.Compare(left, [COMPARED[type(operator)]()], [right])
        case ast.BinOp(left, operator, right) if type(operator) in COMPUTED:
            return ast.BinOp(left, COMPUTED[type(operator)](), right)
        case ast.BoolOp(operator, values):
            return ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
        case ast.UnaryOp(ast.USub() | ast.Not(), operand):
            return operand
        case ast.Call(ast.Name("abs") | ast.Attribute(attr="abs"), [operand], []):
            return operand
        case ast.Call(ast.Name(name), arguments, keywords) if name in RENAMED:
            return ast.Call(ast.Name(RENAMED[name]), arguments, keywords)
        case ast.Call(ast.Attribute(value, name), arguments, keywords) if name in RENAMED:
            return ast.Call(ast.Attribute(value, RENAMED[name]), arguments, keywords)
        case ast.Constant(int(number)) if not isinstance(number, bool) and number < LIMITS:
            return ast.Constant(number + 1)
        case ast.Constant(float(number)):
            return ast.Constant(number * 2 or 0.5)
    return None


def expressions(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions that compute: no annotations, errors, texts or decorators."""
    skipped: tuple[object, ...] = ()
    match node:
        case ast.Raise() | ast.JoinedStr() | ast.Import() | ast.ImportFrom():
            return
        case ast.If() if "TYPE_CHECKING" in ast.unparse(node.test):
            return
        case ast.AnnAssign():
            skipped = (node.annotation,)
        case ast.arg():
            return
        case ast.FunctionDef():
            skipped = (node.returns, *node.decorator_list)
    if isinstance(node, ast.expr):
        yield node
    for child in ast.iter_child_nodes(node):
        if child not in skipped:
            yield from expressions(child)


def mutants_of(room: str, path: Path) -> list[Mutant]:
    """Return every mutant of a module, in the order of its lines."""
    source = path.read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []
    for node in expressions(ast.parse(source)):
        changed = change_expression(node)
        if changed is None or node.end_lineno is None or node.end_col_offset is None:
            continue
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        before = " ".join(source[start:end].decode().split())
        after = ast.unparse(ast.fix_missing_locations(changed))
        name = path.relative_to(PACKAGE).as_posix()
        found.append(Mutant(room, name, node.lineno, start, end, before, f"({after})"))
    return found


def draw_mutants(rooms: Sequence[str], count: int, seed: int) -> list[Mutant]:
    """Draw mutants, each module at least once where it has any and the rest by their number."""
    able: list[list[Mutant]] = []
    for room in rooms:
        for folder in ROOMS[room][0]:
            able += [mutants_of(room, path) for path in sorted((PACKAGE / folder).rglob("*.py"))]
    able = [mutants for mutants in able if mutants]
    total = sum(map(len, able))
    draw = random.Random(seed)  # noqa: S311 - to choose lines, and nothing secret
    drawn = []
    for mutants in able:
        share = max(1, round(count * len(mutants) / total))
        drawn += draw.sample(mutants, min(share, len(mutants)))
    return sorted(drawn, key=lambda mutant: (mutant.room, mutant.module, mutant.start))


def run_tests(room: str, source: Path) -> bool:
    """Say whether the tests of a room notice that something is wrong with this source."""
    command = (sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider")
    options = ("-p", "no:randomly", "-W", "ignore::pytest.PytestConfigWarning")
    environment = os.environ | {"PYTHONPATH": str(source), "NUMBA_CACHE_DIR": str(source / "jit")}
    try:
        ended = subprocess.run(  # noqa: S603 - the command is the one above
            [*command, *options, *ROOMS[room][1]],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            check=False,
            timeout=60 * MINUTES,
        )
    except subprocess.TimeoutExpired:
        return True
    return ended.returncode != 0


def try_mutants(mutants: Sequence[Mutant], jobs: int) -> Iterator[tuple[Mutant, bool]]:
    """Yield each mutant and whether it was killed, each tried in a copy of the source."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        copies: Queue[Path] = Queue()
        for job in range(jobs):
            copy = Path(folder) / str(job)
            shutil.copytree(PACKAGE, copy / "fairvec", ignore=shutil.ignore_patterns("__pycache__"))
            copies.put(copy)

        def is_killed(mutant: Mutant) -> bool:
            copy = copies.get()
            path = copy / "fairvec" / mutant.module
            whole = path.read_bytes()
            try:
                path.write_bytes(mutant.break_source(whole))
                return run_tests(mutant.room, copy)
            finally:
                path.write_bytes(whole)
                copies.put(copy)

        yield from zip(mutants, pool.map(is_killed, mutants), strict=True)


def main() -> int:
    """Draw mutants, try them and print which survived."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--count", type=int, default=80)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--room", nargs="+", choices=ROOMS, default=[*ROOMS])
    options.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options.add_argument("--list", action="store_true", help="print them, and try none")
    arguments = options.parse_args()
    mutants = draw_mutants(arguments.room, arguments.count, arguments.seed)
    if arguments.list:
        print(*mutants, sep="\n")
        return 0
    for room in {mutant.room for mutant in mutants}:
        if run_tests(room, PACKAGE.parent):
            print(f"the tests of {room} fail on the source as it is: mend them first")
            return 2
    survivors = []
    for number, (mutant, killed) in enumerate(try_mutants(mutants, arguments.jobs), start=1):
        fate = "killed" if killed else "equal" if mutant.name in EQUIVALENT else "SURVIVED"
        print(f"{number:3}  {fate:9}  {mutant}", flush=True)
        if fate == "SURVIVED":
            survivors.append(mutant)
    killed_count = len(mutants) - len(survivors)
    print(f"\n{killed_count} of {len(mutants)} were noticed or make no difference")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
