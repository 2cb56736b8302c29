"""Write docs/results.md from the records themselves, so that the two cannot drift apart."""

import inspect
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

from annotated_types import Ge, Le
from pydantic import BaseModel

from fairvec.core.validation import SCHEMA_VERSION
from fairvec.results import identities, records, store, verdicts
from fairvec.results.rows import COLUMNS
from fairvec.stats import values

DOCUMENT = Path(__file__).parents[1] / "docs" / "results.md"
SCHEMA = DOCUMENT.with_suffix(".schema.json")

OPENING = f"""# results.jsonl

One JSON object a line, UTF-8, schema version {SCHEMA_VERSION}. `fairvec audit --json` prints the
same lines. A line is a `Result` (`"status": "measured"`: a value with its p-value and verdict), a
`Description` (`"status": "described"`: a value of a metric that no permutation test applies to),
a `Skipped` (`"status": "skipped"`): a test that cannot be measured is never nan or 0, it says
why. Behind the tests stands a `CategoryAnswer` (`"status": "pooled"`) for each category of bias
tests, all of them pooled into one answer ([answers.md](answers.md) says how to read it).
`fairvec debias` adds a `Change`
(`"status": "compared"`) for each figure before and after, and a `ConceptView`
(`"status": "viewed"`) of what it took out. Unknown fields are refused on reading, and so are
records of another schema version: run the command again. The lines of frontier.jsonl, study.jsonl
and document.jsonl state the same version. [results.schema.json](results.schema.json) is the JSON
Schema of a line.

The files of a run (results.jsonl, report.html, and those of `debias`, `frontier`, `study`,
`document`, `task` and `reproduce`) take their places together: what is made from the earlier
records (or model) is removed, the new records (or model) take the place of the earlier ones, and
the rest follows. A run that is killed at that moment leaves a set without some of its files, never
files of two runs; run it again, or make the page by `fairvec report FOLDER`. Of two runs that write
into one folder at once, the last is there whole. In Python
`write_results(outcomes, folder, {{"report.html": page}})` and `Results.save(folder)` write a run
together; `write_results` and `write_report` one after the other are two steps.

What is written over: `audit`, `task`, `benchmarks ask` and `reproduce` replace the files that they
write in the folder of `-o` without asking, for a pipeline runs into one folder again and again, and
a run can be made again; `frontier` and `study` go on in a folder of their own and refuse one that
holds something else. What else lies in a folder stays. `convert`, `debias`, `distil`, `train` and
`document -o` ask for `--force`, and no vectors take the place of the text that they are learnt
from. `report -o FILE` and `--junit FILE` replace a page or XML, and nothing else. A file that is
replaced keeps its mode, and as far as that is allowed its owner; the new run beside a model that
is replaced is no more open than the model.

This page is written by `python -m scripts.document_results`; a test keeps it current.
"""

ROWS = """
## Flat rows

`--csv`, the terminal's table and the conditions of `fairvec check --fail-if` see each line as one
flat row with these columns; a skipped test leaves its figures empty, and an empty value meets no
comparison. The answer for a category is a row too (status pooled, kind category); the terminal says
it in a sentence above its table.

| column | meaning |
|---|---|
"""


def described(record: type[BaseModel]) -> str:
    """Return one record's section."""
    lines = [f"\n## {record.__name__}\n", f"{inspect.cleandoc(record.__doc__ or '')}\n"]
    lines += ["| field | type | meaning |", "|---|---|---|"]
    for name, field in record.model_fields.items():
        kind = type_name(field.annotation, field.metadata)
        lines.append(f"| `{name}` | {kind} | {field.description} |")
    return "\n".join(lines) + "\n"


def type_name(annotation: object, limits: Sequence[Any] = ()) -> str:
    """Return a type as a reader of JSON would call it, with the limits of its numbers."""
    parts = get_args(annotation)
    if get_origin(annotation) is Annotated:
        return type_name(parts[0], parts[1].metadata)
    if isinstance(annotation, type) and not parts:
        plain = {"str": "string", "float": "number", "int": "integer", "NoneType": "null"}
        return plain.get(annotation.__name__, annotation.__name__) + within(limits)
    if get_origin(annotation) is Literal:
        return " or ".join(map(json.dumps, parts))
    if getattr(annotation, "__origin__", None) is tuple:
        return f"list of {type_name(parts[0])}"
    if getattr(annotation, "__origin__", None) is dict:
        return "object"
    return " or ".join(type_name(part) for part in parts)


def within(limits: Sequence[Any]) -> str:
    """Return what a number is bound to, in words."""
    least = next((limit.ge for limit in limits if isinstance(limit, Ge)), None)
    most = next((limit.le for limit in limits if isinstance(limit, Le)), None)
    if most is not None:
        return f" from {least} to {most}"
    return "" if least is None else f", {least} or more"


def document() -> str:
    """Return the whole page."""
    kinds = (
        records.Result,
        records.Description,
        records.Skipped,
        records.Change,
        records.ConceptView,
        records.CategoryAnswer,
        records.PooledTest,
        records.UnpooledTest,
        identities.TestIdentity,
        identities.UtilityKind,
        identities.ModelIdentity,
        identities.MetricIdentity,
        identities.Convention,
        values.PValue,
        values.PairedP,
        values.Interval,
        verdicts.Verdict,
        verdicts.Robustness,
        verdicts.ListSwap,
        verdicts.FrequencyControl,
        records.WordScore,
        records.GroupCoverage,
        records.Component,
        records.ProjectedWord,
    )
    rows = "".join(f"| `{name}` | {meaning} |\n" for name, meaning in COLUMNS.items())
    return OPENING + "".join(described(kind) for kind in kinds) + ROWS + rows


def schema() -> str:
    """Return the JSON Schema as a file."""
    return json.dumps(store.json_schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    DOCUMENT.write_text(document(), encoding="utf-8")
    SCHEMA.write_text(schema(), encoding="utf-8")
