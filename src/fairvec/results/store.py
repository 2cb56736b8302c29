"""Read and write files of records, one JSON object a line: results.jsonl and the others."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, Field, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from fairvec.core.errors import LONGEST, FileFormatError
from fairvec.core.io.atomic_files import atomic_file_set, atomic_path, write_text
from fairvec.core.io.cache import read_entry, write_entry
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
from fairvec.core.validation import SCHEMA_VERSION, each_record
from fairvec.results.records import Outcome

PAGE = "report.html"
"""The page about the records of a folder."""

Line = TypeVar("Line", bound=BaseModel)
Part = TypeVar("Part", bound=BaseModel)


@dataclass(frozen=True)
class RecordFile(Generic[Line]):
    """A file `name` of records that a command writes into a folder.

    `one` is what a line holds, as in "a result"; `command` makes it, with `arguments` before the
    folder. `writer` and `reader` are the functions that a person calls.
    """

    name: str
    lines: TypeAdapter[Line]
    one: str
    command: str
    arguments: str
    writer: str
    reader: str

    def write(
        self,
        lines: Iterable[Line],
        folder: Path | str,
        others: Mapping[str, str | Callable[[], str | Iterable[str]]] | None = None,
    ) -> Path:
        """Write the records to the file in `folder`, completely or not at all, one by one.

        `others` are the texts of the same run by file name, or what makes them once the records
        are written: all files are replaced together, and the page about earlier records is removed
        if there is no new one.
        """
        path = as_path(folder, f"say {self.writer}(records, 'runs/mine')") / self.name
        source = f"{self.reader} returns it"
        lines = each_record(lines, "Written are records, not", source=source)
        if others is None:
            _write_lines(path, lines)
            return path
        obsolete = [PAGE] if path.exists() and PAGE not in others else []
        with atomic_file_set(path.parent, gone=obsolete) as drafts:
            _write_lines(drafts / self.name, lines)
            for name, text in others.items():
                write_text(drafts / name, text if isinstance(text, str) else text())
        return path

    def read(self, path: Path | str) -> list[Line]:
        """Read the records of such a file, or of the folder that holds one."""
        path = as_path(path, f"name the folder of a run, or its {self.name}")
        file = path / self.name if is_folder(path) else path
        if not is_file(file) and not is_pipe(file):
            raise FileFormatError(
                f"{path}: there is no {self.name} here; make one with '{self.command} "
                f"{self.arguments} -o {path}'."
            )
        text = decode_utf8(read_file_or_pipe(file, FileFormatError), str(file), FileFormatError)
        # Not splitlines: a name may hold a Unicode line separator.
        texts = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        records = [
            self._parse(text, f"{file}, line {number}")
            for number, text in enumerate(texts, 1)
            if text.strip()
        ]
        if not records:
            raise FileFormatError(f"{file}: the file holds no records; run '{self.command}' again.")
        return records

    def write_one(self, path: Path, record: BaseModel) -> None:
        """Write one record to a file of its own, tied to the name of the file by a checksum."""
        write_entry(path, as_json(record))

    def read_one(self, path: Path, kind: TypeAdapter[Part]) -> Part:
        """Read what `write_one` wrote; refuse what was changed, renamed or copied since."""
        try:
            record = _check_schema_version(parse_json(read_entry(path)), str(path))
            return kind.validate_python(record)
        except ValueError as error:
            detail = (
                _describe_first_error(error) if isinstance(error, ValidationError) else str(error)
            )
            raise FileFormatError(
                f"{path}: not {self.one} ({detail}); remove it, and run '{self.command}' again."
            ) from error

    def _parse(self, text: str, where: str) -> Line:
        try:
            return self.lines.validate_python(_check_schema_version(parse_json(text), where))
        except ValidationError as error:
            reason = _describe_first_error(error)
        except ValueError as error:
            reason = str(error)
        raise FileFormatError(
            f"{where}: not {self.one} of schema version {SCHEMA_VERSION} ({reason}); run "
            f"'{self.command}' again."
        )


def _check_schema_version(record: Any, where: str) -> Any:
    """Return a record of this schema; refuse one of another."""
    if not isinstance(record, dict):
        return record
    version = record.get("schema_version")
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise FileFormatError(
            f"{where}: schema version {version}, written by a later fairvec; this one reads "
            f"{SCHEMA_VERSION}: upgrade it."
        )
    if version != SCHEMA_VERSION:
        raise ValueError(
            f"its schema_version is {short_repr(version)}"
            if "schema_version" in record
            else "it has no schema_version"
        )
    return record


def _describe_first_error(error: ValidationError) -> str:
    """Return the first wrong field, what is wrong with it, and its value."""
    first = error.errors(include_url=False)[0]
    field = ".".join(
        short_repr(part)[1:-1] if isinstance(part, str) else str(part) for part in first["loc"]
    )
    value = "" if first["type"] == "missing" else f", not {short_repr(first['input'])}"
    return one_line(f"{field}: {first['msg'].removeprefix('Value error, ')[:LONGEST]}{value}")


def _write_lines(path: Path, records: Iterable[BaseModel]) -> None:
    """Write records as JSON lines, each as it comes, atomically."""
    with (
        atomic_path(path) as draft,
        draft.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file,
    ):
        file.writelines(as_json(record) + "\n" for record in records)


def as_lines(records: Iterable[BaseModel]) -> str:
    """Return records as JSON lines, Unicode kept."""
    return "".join(as_json(record) + "\n" for record in records)


def as_json(record: BaseModel) -> str:
    """Return a record as JSON; lone surrogates, which JSON cannot hold, are escaped."""
    try:
        return record.model_dump_json()
    except PydanticSerializationError:
        return type(record).model_validate(escape_surrogates(record.model_dump())).model_dump_json()


FILE_NAME = "results.jsonl"

_outcome: TypeAdapter[Outcome] = TypeAdapter(Annotated[Outcome, Field(discriminator="status")])


_file: RecordFile[Outcome] = RecordFile(
    FILE_NAME,
    _outcome,
    "a result",
    "fairvec audit",
    "MODEL",
    "write_results",
    "read_results",
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


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of one line of results.jsonl."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"One line of a fairvec results.jsonl, schema version {SCHEMA_VERSION}",
        **_outcome.json_schema(),
    }
