"""Files of records, one JSON object a line: results.jsonl and its like, read and written."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, Field, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from fairvec.core.errors import LONGEST, FileFormatError
from fairvec.core.io.atomic_files import atomic_file_set, refuse_mixed, write_alone, write_text
from fairvec.core.io.read_files import (
    as_path,
    decode_utf8,
    is_file,
    is_folder,
    is_pipe,
    read_file_or_pipe,
)
from fairvec.core.parsing import parse_json
from fairvec.core.text import escape_surrogates, one_line, short_repr
from fairvec.core.validation import SCHEMA_VERSION, records_in
from fairvec.results.records import Outcome

PAGE = "report.html"
"""The page about the records of a folder."""

Line = TypeVar("Line", bound=BaseModel)
Part = TypeVar("Part", bound=BaseModel)


@dataclass(frozen=True)
class RecordFile(Generic[Line]):
    """What lies in a folder under `name`: records of some types, that a command writes.

    `one` is what a line holds, as in "a result"; `command` makes it, with `arguments` before the
    folder. `updated` brings a record of an earlier schema to this one.
    """

    name: str
    lines: TypeAdapter[Line]
    one: str
    command: str
    arguments: str
    updated: Callable[[dict[str, Any]], dict[str, Any]] = lambda record: record

    def write(
        self, lines: Iterable[Line], folder: Path | str, others: Mapping[str, str] | None = None
    ) -> Path:
        """Write the records to the file in `folder`, whole or not at all.

        `others` are the texts of the same run, by the names of their files: they take their places
        together, and the page about the records that are replaced goes if there is no new one.
        """
        path = as_path(folder, "say write_results(records, 'runs/mine')") / self.name
        lines = records_in(lines, "Written are records, not")
        if others is None:
            write_alone(path, as_lines(lines))
            return path
        gone = [PAGE] if path.exists() and PAGE not in others else []
        with atomic_file_set(path.parent, gone=gone) as drafts:
            for name, text in {**others, self.name: as_lines(lines)}.items():
                write_text(drafts / name, text)
        return path

    def read(self, path: Path | str) -> list[Line]:
        """Read the records of such a file, or of the folder that holds one.

        A folder whose files are of two runs, because one was interrupted, is refused; the file
        itself may be named even so.
        """
        path = as_path(path, f"name the folder of a run, or its {self.name}")
        if is_folder(path):
            refuse_mixed(path)
        file = path / self.name if is_folder(path) else path
        if not is_file(file) and not is_pipe(file):
            raise FileFormatError(
                f"{path}: there is no {self.name} here; make one with '{self.command} "
                f"{self.arguments} -o {path}'."
            )
        text = decode_utf8(read_file_or_pipe(file, FileFormatError), str(file), FileFormatError)
        # Not splitlines: a name may hold a Unicode line separator.
        texts = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        found = [
            self._parse(text, f"{file}, line {number}")
            for number, text in enumerate(texts, 1)
            if text.strip()
        ]
        if not found:
            raise FileFormatError(f"{file}: the file holds no records; run '{self.command}' again.")
        return found

    def kept(self, path: Path, kind: TypeAdapter[Part]) -> Part:
        """Read the one record of a file of its own, as work under way keeps it."""
        try:
            return kind.validate_python(parse_json(path.read_bytes()))
        except ValueError as error:
            detail = (
                _describe_first_error(error) if isinstance(error, ValidationError) else str(error)
            )
            raise FileFormatError(
                f"{path}: not {self.one} ({detail}); remove it, and run '{self.command}' again."
            ) from error

    def _parse(self, text: str, where: str) -> Line:
        try:
            return self.lines.validate_python(self._to_current_schema(parse_json(text), where))
        except ValidationError as error:
            reason = _describe_first_error(error)
        except ValueError as error:
            reason = str(error)
        raise FileFormatError(
            f"{where}: not {self.one} of schema version {SCHEMA_VERSION} ({reason}); write it "
            f"again with '{self.command}'."
        )

    def _to_current_schema(self, record: Any, where: str) -> Any:
        """Return a record as this schema has it, or say that it is of a later one."""
        version = record.get("schema_version") if isinstance(record, dict) else None
        if isinstance(version, int) and version > SCHEMA_VERSION:
            raise FileFormatError(
                f"{where}: schema version {version}, written by a later fairvec; this one reads up "
                f"to {SCHEMA_VERSION}: upgrade it."
            )
        return record if version is None else self.updated(record)


def _describe_first_error(error: ValidationError) -> str:
    """Name the first field that is wrong, what is wrong with it, and what stands there."""
    first = error.errors(include_url=False)[0]
    field = ".".join(
        short_repr(part)[1:-1] if isinstance(part, str) else str(part) for part in first["loc"]
    )
    value = "" if first["type"] == "missing" else f", not {short_repr(first['input'])}"
    return one_line(f"{field}: {first['msg'].removeprefix('Value error, ')[:LONGEST]}{value}")


def as_lines(records: Iterable[BaseModel]) -> str:
    """Return records as JSON lines, Unicode kept."""
    return "".join(as_json(record) + "\n" for record in records)


def as_json(record: BaseModel) -> str:
    """Return a record as JSON; half characters, which JSON cannot hold, as their numbers."""
    try:
        return record.model_dump_json()
    except PydanticSerializationError:
        return type(record).model_validate(escape_surrogates(record.model_dump())).model_dump_json()


_USES = {
    "similarity": {
        "title": "Word similarity",
        "place": 0,
        "plain": "word similarity",
        "family": "similarity",
    },
    "analogy": {
        "title": "Word analogy",
        "place": 1,
        "plain": "word analogy",
        "family": "analogy",
    },
    "sembias": {
        "title": "SemBias",
        "place": 2,
        "plain": "definitions in SemBias",
        "family": "definitions",
    },
}
"""The three kinds that there were; later ones are in the records themselves."""


def with_use(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record of an early benchmark with what its figure is; any other as it stands."""
    test = record.get("test")
    if not isinstance(test, dict) or "use" in test or test.get("kind") not in _USES:
        return record
    unwanted = test["kind"] == "sembias" and "/definition" not in str(test.get("id"))
    use = {**_USES[test["kind"]], "wanted": "less" if unwanted else "more"}
    return {**record, "test": {**test, "use": use}}


FILE_NAME = "results.jsonl"

_MISSING_FIELDS = {
    1: "the settings of the metric, the words of A and B, the family of a test and the interval of "
    "a change"
}

_outcome: TypeAdapter[Outcome] = TypeAdapter(Annotated[Outcome, Field(discriminator="status")])


def _migrate(record: dict[str, Any]) -> dict[str, Any]:
    """Bring a record of an earlier schema to this one."""
    if record["schema_version"] == 1 and record.get("kind") == "turned":
        record = {**record, "kind": "overshot"}
    migrated: dict[str, Any] = with_use(record)
    return migrated


_file: RecordFile[Outcome] = RecordFile(
    FILE_NAME, _outcome, "a result", "fairvec audit", "MODEL", _migrate
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
        f"These results are of schema version {oldest}: they lack {_MISSING_FIELDS[oldest]}. Run "
        "the audit again to have them."
    )


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of one line of results.jsonl."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"One line of a fairvec results.jsonl, schema version {SCHEMA_VERSION}",
        **_outcome.json_schema(),
    }
