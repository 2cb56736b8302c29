"""What is typed: conditions of check and compare, and settings of methods."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random

from fairvec.embedding import save
from fairvec.mitigation import DEBIASERS, debiaser
from fairvec.results.conditions.expression import Condition
from fairvec.results.rows import COLUMNS
from fuzz.cases import Target
from fuzz.crafted import crafted_for
from fuzz.honest import SUITE, model
from fuzz.mutations import mutated
from fuzz.mutations.odd_values import odd_number_text
from fuzz.shell import run_commands, shell

HONEST = (
    "p_holm < 0.05 and abs(effect) > 0.5",
    "count(verdict == 'biased', where=status == 'measured') > 3",
    "mean(abs(effect), where=status == 'measured' and category == 'gender') > 0.5",
    "not (effect in [1, 2, 3.5]) or max(p, p_holm) >= -1e-3 * 2 / 3",
)
PARTS = (
    *("(", ")", "[", "]", "not ", " and ", " or ", " in ", " not in ", "==", "!=", "<", "**", "//"),
    *("abs(", "count(", "mean(", "max(", "min(", "where=", "len(", "lambda: ", "None", "True"),
    *("'biased'", "'\x1b'", "f'{p}'", "b'x'", "...", "__import__('os')", "p.real", "1j", "1/0"),
    *(" if p else ", ":=", "~", "-", "+", "*", "/", "%", "@", ",", "#", "\\", "\n", "'" * 3, "0x"),
)
COMPARED = ("<=", ">=", "==", "!=", "<", ">")
NUMBERS = ("0", "1", "-1", "0.05", "1e300", "1e-300", "effect", "p", "abs(effect)", "(p + 1)")
ALIKE = re.compile(r"[<>!=]=|[<>]|\b\d[\d.]*\b|\beffect\b")
"""What can stand for one another without breaking a condition."""


def words(folder: Path) -> Iterator[Target]:
    """Give a target for conditions and one for settings."""
    save(model(), folder / "small.vec", force=True)
    (folder / "toy.toml").write_bytes(SUITE)
    shell(["audit", f"{folder}/small.vec", "-s", f"{folder}/toy.toml", "-o", f"{folder}/run"])
    results = (folder / "run" / "results.jsonl").read_bytes()
    yield Target(
        name="condition",
        run=_checked,
        honest=[{"condition.txt": text.encode(), "results.jsonl": results} for text in HONEST],
        crafted=crafted_for("condition", {"results.jsonl": results}, "condition.txt"),
        covers=["words condition"],
        fixed=frozenset(("results.jsonl",)),
        change=_other_words,
    )
    for method in DEBIASERS:
        yield Target(
            name=f"settings-{method.name}",
            run=partial(_set, method=method.name),
            honest=[{"settings.txt": b"strength=0.5"}, {"settings.txt": b"strength=1"}],
            crafted=crafted_for(f"settings-{method.name}", {}, "settings.txt"),
            covers=[f"settings {method.name}"],
        )


def _other_words(
    name: str, data: bytes, random: Random, others: Sequence[bytes]
) -> tuple[bytes, str]:
    """Put a part of the language, or what looks like one, where it does not belong."""
    if random.random() < 0.2:
        return mutated(name, data, random, others)
    text = data.decode("utf-8", "replace")
    if random.random() < 0.5 and (found := [*ALIKE.finditer(text)]):
        one = random.choice(found)
        new = random.choice(COMPARED if one[0] in COMPARED else NUMBERS)
        return (text[: one.start()] + new + text[one.end() :]).encode(), f"{new} for {one[0]}"
    at = random.randrange(len(text) + 1)
    part = random.choice((random.choice(PARTS), random.choice([*COLUMNS]), odd_number_text(random)))
    times = random.choice((1, 1, 1, 2, 30, 1000))
    new = text[:at] + part * times + text[at + random.randrange(4) :]
    return new.encode("utf-8", "replace"), f"{part[:20]!r} {times} times at {at}"


def _checked(folder: Path) -> None:
    text = (folder / "condition.txt").read_text("utf-8", "replace").replace("\0", "")
    Condition(text)
    run_commands("check", "results.jsonl", "--fail-if", text)


def _set(folder: Path, method: str) -> None:
    from fairvec.cli.commands.change import _settings

    lines = (folder / "settings.txt").read_text("utf-8", "replace").split("\n")
    debiaser(method, **_settings([line for line in lines if line]))
