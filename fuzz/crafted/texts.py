"""Text that asks for more than it holds: models, TOML, records, conditions, arguments."""

import json
import re
from collections.abc import Callable
from typing import Any

from fuzz.cases import Files
from fuzz.crafted.making import arguments, content

ONE_WIDE_LINE = b"king" + b" 1" * 32_000 + b"\n"
DIGITS = "9" * 5000
TOML = {
    "deep": content(b"id = " + b"[" * 5000 + b"]" * 5000),
    "deep tables": content(b"[" + b"a." * 5000 + b"a]\n"),
    "inline tables": content(b"id = " + b"{a=" * 3000 + b"1" + b"}" * 3000),
    "five thousand digits": content(f"id = {DIGITS}\n".encode()),
    "hexadecimal digits": content(b"id = 0x" + b"f" * 50_000 + b"\n"),
    "a year that is none": content(b"id = 9999-99-99\n"),
    "surrogate": content(b'id = "\\ud800"\n'),
    "nul": content(b'id = "\\u0000"\n'),
    "not utf-8": content(b'id = "\xff"\n'),
}


def _one_test(honest: Files, main: str) -> Files:
    """Ask the last test of a suite again and again."""
    begin, mark, test = honest[main].rpartition(b"[[tests]]")
    again = (mark + re.sub(rb'id = "[^"]*"', b'id = "t%d"' % n, test, count=1) for n in range(1000))
    return {**honest, main: begin + b"\n".join(again)}


def _records(change: Callable[[dict[str, Any]], object]) -> Callable[[Files, str], Files]:
    """Change every record that can be changed so."""

    def attack(honest: Files, main: str) -> Files:
        records = [json.loads(line) for line in honest[main].split(b"\n") if line]
        for record in records:
            try:
                change(record)
            except (AttributeError, KeyError, IndexError, TypeError):
                continue
        return {**honest, main: b"".join(json.dumps(each).encode() + b"\n" for each in records)}

    return attack


MODELS = {
    "one wide line": content(ONE_WIDE_LINE + b"\n" * 66_000),
    "two wide lines": content(b"2 32000\n" + ONE_WIDE_LINE + b"\n" * 66_000),
    "announces much": content(b"9999999999 300\nking 1 2\n"),
    "announces width": content(b"2 999999999999\nking 1 2\n"),
    "announces less than none": content(b"-1 -1\nking 1 2\n"),
    "five thousand digits": content(f"{DIGITS} 2\nking 1 {DIGITS}\n".encode()),
    "cut in its last number": content(b"2 2\nking 1.25 2.5\nqueen 3.75 4."),
    "controls": content(b"2 2\n\x1b[2Jking 1 2\n\x9bqueen 3 4\n"),
    "one long word": content(b"2 2\n" + b"k" * 900_000 + b" 1 2\nqueen 3 4\n"),
    "one quote": content(b'"' + b"a,1\n" * 50_000),
}
KINDS = {
    "kind unheard of": _records(lambda r: r["test"].update(kind="unheard-of")),
    "no versions": _records(lambda r: r.update(versions={})),
    "role unheard of": _records(lambda r: r["coverage"][0].update(role="q")),
    "all roles alike": _records(lambda r: [one.update(role="x") for one in r["coverage"]]),
    "no coverage": _records(lambda r: r.update(coverage=[])),
    "fitted on a number": _records(lambda r: r["model"].update(history=[{"fitted_on": 5}])),
    "history of nothing": _records(lambda r: r["model"].update(history=[{}])),
    "huge effect": _records(lambda r: r.update(effect=1e308)),
    "family of none": _records(lambda r: r.update(family=0)),
    "controls": _records(lambda r: r["test"].update(title="\x1b[2J\x9b", id="\x1b]0;x\x07/y")),
    "surrogates": _records(lambda r: r["model"].update(name="\ud800")),
    "another kind": _records(lambda r: r["test"].update(kind="strange")),
    "another language": _records(lambda r: r["test"].update(language="xx")),
    "own lists": _records(lambda r: r["test"].update(category="own lists")),
    "immense scores": _records(
        lambda r: [one.update(score=1e300) for one in r.get("words", ())[:1]]
    ),
    "immense count": _records(lambda r: [one.update(wanted=10**290) for one in r["coverage"]]),
    "endless": _records(lambda r: r.update(effect=float("inf"))),
    "no number": _records(lambda r: r.update(effect=float("nan"))),
    "deep": content(b"[" * 100_000),
    "long digits": content(b'{"schema_version": ' + DIGITS.encode() + b"}"),
    "version is true": _records(lambda r: r.update(schema_version=True)),
    "the version before": _records(lambda r: r.update(schema_version=2)),
    "half of another version": _records(lambda r: r.update(schema_version=2 + len(r) % 2)),
    "the version after": _records(lambda r: r.update(schema_version=99)),
    "version is less than any": _records(lambda r: r.update(schema_version=-5)),
}
CHECK = ("check", "run", "--fail-if")
ON_TEXTS = {
    **{f"format-{name}": MODELS for name in ("word2vec-text", "glove-text", "csv", "tsv")},
    "format-word2vec-binary": {
        "announces much": content(b"9999999999 300\nking " + b"\0" * 40),
        "announces width": content(b"2 999999999999\nking " + b"\0" * 40),
        "no width": content(b"99999999 0\n" + b"a " * 4000),
        "five thousand digits": content(f"{DIGITS} 2\nking ".encode() + b"\0" * 40),
    },
    **{
        f"list-document-{name}": {
            "a header of a megabyte": content(b"text," + b"x" * 1_000_000 + b"\nHe left.\n"),
            "a header that never ends": content(b'"text\nHe left.\n'),
            "a column twice": content(b"text,text\nHe,left\n"),
            "no rows": content(b"text\n"),
        }
        for name in ("csv", "tsv")
    },
    "package-wink": {
        "half a character": content(
            b'{"dimensions":1,"words":["\\ud800"],"vectors":{"\\ud800":[1,1,0]}}'
        ),
        "no numbers": content(b'{"dimensions":1,"words":["a"],"vectors":{"a":[x,y,z]}}'),
        "lines in a word": content(
            b'{"dimensions":1,"words":["a\\nb"],"vectors":{"a\\nb":[1,1,0]}}'
        ),
    },
    "package-wordllama": {
        "half a character": content(b'{"model":{"vocab":{"\\u2581\\ud800":0}}}'),
        "a row beyond all": content(
            b'{"model":{"vocab":{"\\u2581a":1000000000000000000000000000000}}}'
        ),
        "a row before all": content(b'{"model":{"vocab":{"\\u2581a":-1}}}'),
        "an endless row": content(b'{"model":{"vocab":{"\\u2581a":1e999}}}'),
    },
    **{
        f"list-{name}": TOML
        for name in ("concept", "study", "models", "datasets", "paper-kumar2020")
    },
    "list-suite": TOML | {"one test a thousand times": _one_test},
    "records-results": KINDS,
    "records-frontier": KINDS,
    "records-study": KINDS,
    "records-document": KINDS,
    "condition": {
        "nine hundred sums": content(b" + ".join([b"effect"] * 900) + b" > 1"),
        "four hundred digits": content(b"effect > " + b"9" * 400),
        "five thousand digits": content(f"effect > {DIGITS}".encode()),
        "a power": content(b"9 ** 9 ** 9 > 1"),
        "brackets": content(b"(" * 300 + b"p" + b")" * 300 + b" < 1"),
        "nots": content(b"not " * 3000 + b"p < 1"),
        "minuses": content(b"-" * 3000 + b"p < 1"),
        "more minuses": content(b"-" * 8000 + b"p < 1"),
        "an import": content(b"__import__('os').system('touch ran-something')"),
        "no utf-8": content(b"p < \xff"),
    },
    **{
        f"settings-{name}": {
            "deep": content(b"strength=" + b"[" * 100_000),
            "digits": content(f"strength={DIGITS}".encode()),
            "no number": content(b"strength=NaN"),
            "twice": content(b"strength=1\nstrength=2"),
        }
        for name in ("linear-projection", "hard", "pgd")
    },
    "command-neighbours": {
        "twenty digits": arguments("neighbours", "small.vec", "king", "--count", "9" * 20),
        "four hundred digits": arguments("neighbours", "small.vec", "king", "--count", "9" * 400),
    },
    "command-check": {
        "nine hundred sums": arguments(*CHECK, " + ".join(["effect"] * 900) + " > 1"),
        "four hundred digits": arguments(*CHECK, "effect > " + "9" * 400),
    },
    "command-debias": {
        "deep setting": arguments(
            *("debias", "small.vec", "--concept", "mine.toml", "-o", "new.vec", "-s", "toy.toml"),
            *("--set", "x=" + "[" * 5000),
        ),
        "digits of memory": arguments(
            *("debias", "small.vec", "--concept", "mine.toml", "-o", "new.vec", "-s", "toy.toml"),
            *("--max-memory", "9" * 400),
        ),
    },
    "command-audit": {
        "endless samples": arguments(
            *("audit", "small.vec", "-s", "toy.toml", "--samples", "1000000000000"),
        ),
        "no folder": arguments("audit", "small.vec", "-s", "toy.toml", "-o", ""),
    },
    "command-study": {
        "endless jobs": arguments("study", "plan.toml", "-o", "out", "--jobs", "1000000000000"),
    },
    "command-train": {
        "endless epochs": arguments(
            *("train", "kind.txt", "-o", "new.vec", "--language", "en", "--epochs"),
            "1000000000000",
        ),
    },
    "command-convert": {
        "huge curvature": arguments(
            *("convert", "small.vec", "new.fairvec", "--geometry", "poincare", "--curvature"),
            "1e300",
        ),
    },
}
