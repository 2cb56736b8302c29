"""What else lies around a command: packages that offer plugins, and the environment."""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib import invalidate_caches
from pathlib import Path
from random import Random

from fairvec.core.errors import FairvecError
from fairvec.embedding import save
from fuzz.cases import Target
from fuzz.honest import SUITE, model
from fuzz.mutations import mutated
from fuzz.mutations.odd_values import TEXTS, odd_number_text
from fuzz.shell import all_refused, run_commands
from fuzz.verdicts import RefusedError

SITE = "site/odd_plugin-1.0.dist-info"
METADATA = b"Metadata-Version: 2.1\nName: odd-plugin\nVersion: 1.0\nSummary: Odd.\n\nA text.\n"
POINTS = (
    b"[fairvec.metrics]\nodd = odd_plugin:Odd\nnothing = odd_plugin:nothing\nweat = odd_plugin:Odd"
    b"\n\n[fairvec.methods]\nodd-method = odd_plugin:Odd\nabsent = not_there:Thing\n"
)
MODULE = b"class Odd:\n    name = 'odd'\n"
VARIABLES = (
    *("FAIRVEC_HOME", "FAIRVEC_DATA", "FAIRVEC_TRACEBACK", "COLUMNS", "LINES", "TERM", "LANG"),
    *("NO_COLOR", "CI", "GITHUB_ACTIONS", "GITLAB_CI", "TEAMCITY_VERSION", "HOME"),
    *("PYTHONIOENCODING", "XDG_CACHE_HOME", "LC_ALL", "TZ", "SOURCE_DATE_EPOCH", "EDITOR"),
)
VALUES = ("1", "0", "", "here", "small.vec", "toy.toml", "true", "dumb", "xterm", "C", "UTC", "80")
FILE = "environment.json"


def installed(folder: Path) -> Iterator[Target]:
    """Give a target for packages and one for the environment."""
    yield Target(
        name="installed-plugin",
        run=_listed,
        honest=[
            {
                f"{SITE}/METADATA": METADATA,
                f"{SITE}/entry_points.txt": POINTS,
                "site/odd_plugin.py": MODULE,
            }
        ],
        covers=["installed plugin"],
        # Code that is installed is run.
        fixed=frozenset(("site/odd_plugin.py",)),
    )
    save(model(), folder / "small.vec", force=True)
    files = {"small.vec": (folder / "small.vec").read_bytes(), "toy.toml": SUITE}
    yield Target(
        name="installed-environment",
        run=_in_environment,
        honest=[{**files, FILE: json.dumps({"COLUMNS": "80", "LANG": "C"}).encode()}],
        covers=["installed environment"],
        fixed=frozenset(files),
        writes=True,
        change=_other_environment,
    )


def _listed(folder: Path) -> None:
    sys.path.insert(0, str(folder / "site"))
    writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    invalidate_caches()
    try:
        run_commands("plugins", "list")
        # What it offers is neither.
        with suppress(FairvecError, RefusedError):
            run_commands("plugins", "check", "--metric", "odd")
        with suppress(FairvecError, RefusedError):
            run_commands("plugins", "check", "--method", "odd-method")
    finally:
        sys.path.remove(str(folder / "site"))
        sys.dont_write_bytecode = writes
        sys.modules.pop("odd_plugin", None)


def _other_environment(
    name: str, data: bytes, random: Random, others: Sequence[bytes]
) -> tuple[bytes, str]:
    try:
        variables = dict(json.loads(data))
    except (ValueError, TypeError):
        return mutated(name, data, random, others)
    texts = [text for text in TEXTS if "\0" not in text and not text.startswith(("/", "~", ".."))]
    value = random.choice((random.choice(VALUES), random.choice(texts), odd_number_text(random)))
    variables[named := random.choice(VARIABLES)] = value
    return json.dumps(variables).encode(), f"{named}={value[:30]!r}"


def _in_environment(folder: Path) -> None:
    try:
        variables = json.loads((folder / FILE).read_bytes())
        given = {str(name): str(value) for name, value in variables.items() if name in VARIABLES}
    except (ValueError, AttributeError):
        given = {}
    before = dict(os.environ)
    try:
        os.environ |= {name: value for name, value in given.items() if _can_be_set(value)}
        all_refused(
            ("audit", "small.vec", "-s", "toy.toml", "-o", "out"),
            ("benchmarks", "list"),
            ("benchmarks", "show", "mc30"),
            ("models", "list"),
            ("neighbours", "small.vec", "king", "--count", "3"),
        )
    finally:
        os.environ.clear()
        os.environ |= before


def _can_be_set(value: str) -> bool:
    """Say whether a shell could set a variable to some text."""
    try:
        return b"\0" not in os.fsencode(value)
    except UnicodeEncodeError:
        return False
