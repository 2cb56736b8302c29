"""results.jsonl in and out: one record a line."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from fairvec.ground.errors import FileFormatError
from fairvec.ground.files import write_text
from fairvec.results.older_benchmarks import with_use
from fairvec.results.outcome import Outcome
from fairvec.results.record import SCHEMA_VERSION

FILE_NAME = "results.jsonl"

_LACKING = {
    1: "the settings of the metric, the words of A and B, the family of a test and the interval of "
    "a change"
}

_outcome: TypeAdapter[Outcome] = TypeAdapter(Annotated[Outcome, Field(discriminator="status")])


def as_jsonl(outcomes: Iterable[Outcome]) -> str:
    """Return the records as JSON lines, Unicode kept."""
    return "".join(outcome.model_dump_json() + "\n" for outcome in outcomes)


def write_results(outcomes: Iterable[Outcome], folder: Path | str) -> Path:
    """Write the records to results.jsonl in `folder`, whole or not at all."""
    path = Path(folder) / FILE_NAME
    write_text(path, as_jsonl(outcomes))
    return path


def read_results(path: Path | str) -> list[Outcome]:
    """Read the records of a results.jsonl, or of the folder that holds one."""
    file = Path(path) / FILE_NAME if Path(path).is_dir() else Path(path)
    if not file.is_file():
        raise FileFormatError(
            f"{path}: there is no {FILE_NAME} here; make one with 'fairvec audit MODEL -o {path}'."
        )
    try:
        # Not splitlines: a name may hold a Unicode line separator.
        lines = file.read_text(encoding="utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise FileFormatError(f"{file}: this is not UTF-8; run the audit again.") from error
    outcomes = [_parsed(line, file, number) for number, line in enumerate(lines, 1) if line.strip()]
    if not outcomes:
        raise FileFormatError(f"{file}: the file holds no results; run the audit again.")
    return outcomes


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


def _parsed(line: str, file: Path, number: int) -> Outcome:
    where = f"{file}, line {number}"
    try:
        return _outcome.validate_python(_of_this_schema(json.loads(line), where), strict=False)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        reason = f"{field}: {first['msg']}"
    except (ValueError, RecursionError) as error:
        reason = str(error)
    raise FileFormatError(
        f"{where}: not a result of schema version {SCHEMA_VERSION} ({reason}); write it again with "
        "'fairvec audit'."
    )


def _of_this_schema(record: Any, where: str) -> Any:
    """Return a record as this schema has it, or say that it is of a later one."""
    version = record.get("schema_version") if isinstance(record, dict) else None
    if not isinstance(version, int):
        return record
    if version > SCHEMA_VERSION:
        raise FileFormatError(
            f"{where}: schema version {version}, written by a later fairvec; this one reads up to "
            f"{SCHEMA_VERSION}: upgrade it."
        )
    if version == 1 and record.get("kind") == "turned":
        record = {**record, "kind": "overshot"}
    return with_use(record)
