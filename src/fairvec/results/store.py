"""results.jsonl in and out: one record a line."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from fairvec.results.older_benchmarks import with_use
from fairvec.results.outcome import Outcome
from fairvec.results.record import SCHEMA_VERSION
from fairvec.results.record_file import RecordFile, as_lines

FILE_NAME = "results.jsonl"

_LACKING = {
    1: "the settings of the metric, the words of A and B, the family of a test and the interval of "
    "a change"
}

_outcome: TypeAdapter[Outcome] = TypeAdapter(Annotated[Outcome, Field(discriminator="status")])


def _updated(record: dict[str, Any]) -> dict[str, Any]:
    """Bring a record of an earlier schema to this one."""
    if record["schema_version"] == 1 and record.get("kind") == "turned":
        record = {**record, "kind": "overshot"}
    updated: dict[str, Any] = with_use(record)
    return updated


_file: RecordFile[Outcome] = RecordFile(
    FILE_NAME, _outcome, "a result", "fairvec audit", "MODEL", _updated
)


def as_jsonl(outcomes: Iterable[Outcome]) -> str:
    """Return the records as JSON lines, Unicode kept."""
    return as_lines(outcomes)


def write_results(
    outcomes: Iterable[Outcome], folder: Path | str, others: Mapping[str, str] | None = None
) -> Path:
    """Write the records to results.jsonl in `folder`, whole or not at all.

    `others` are texts of the same run by file name, as its page: all take their places together.
    """
    return _file.write(outcomes, folder, others)


def read_results(path: Path | str) -> list[Outcome]:
    """Read the records of a results.jsonl, or of the folder that holds one."""
    return _file.read(path)


def lacking(outcomes: Iterable[Outcome]) -> str:
    """Say what records of an earlier schema lack; nothing if all are of this one."""
    oldest = min((outcome.schema_version for outcome in outcomes), default=SCHEMA_VERSION)
    if oldest == SCHEMA_VERSION:
        return ""
    return (
        f"These results are of schema version {oldest}: they lack {_LACKING[oldest]}. Run the "
        "audit again to have them."
    )


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of one line of results.jsonl."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"One line of a fairvec results.jsonl, schema version {SCHEMA_VERSION}",
        **_outcome.json_schema(),
    }
