"""results.jsonl in and out: one record a line."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from fairvec.errors import FileFormatError
from fairvec.files import write_text
from fairvec.results.outcome import Outcome
from fairvec.results.records import SCHEMA_VERSION

FILE_NAME = "results.jsonl"

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


def _parsed(line: str, file: Path, number: int) -> Outcome:
    try:
        return _outcome.validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise FileFormatError(
            f"{file}, line {number}: not a result of schema version {SCHEMA_VERSION} "
            f"({field}: {first['msg']}); write it again with 'fairvec audit'."
        ) from error
