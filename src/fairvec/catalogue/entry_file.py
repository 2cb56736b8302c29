"""Reading the TOML files that list the entries of the catalogue."""

from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from fairvec.catalogue.entry import CatalogueEntry
from fairvec.ground.disk.files import text_of
from fairvec.ground.errors import FileFormatError
from fairvec.ground.text.problems import problems
from fairvec.ground.text.shown_values import shown
from fairvec.ground.text.toml_text import tables_of

Kind = TypeVar("Kind", bound=CatalogueEntry)


def read_entries(path: Path, kind: type[Kind], document: str) -> tuple[Kind, ...]:
    """Read a list of entries; an unknown key, a missing one or a name used twice is refused.

    `document` is the page that errors point to for the fields.
    """
    table = kind.shelf
    text = text_of(path, "catalogue", FileFormatError)
    content = tables_of(text, str(path), FileFormatError)
    if list(content) != [table] or not isinstance(content[table], list):
        raise FileFormatError(f"{path}: it must hold [[{table}]] and nothing else.")
    found: dict[str, Kind] = {}
    for number, row in enumerate(content[table]):
        try:
            entry = kind.model_validate(row)
        except ValidationError as error:
            said = problems(error, lambda _: kind.model_fields, above=(table, number))
            raise FileFormatError(f"{path}: {said}; {document} lists the fields.") from error
        if entry.name in found:
            raise FileFormatError(f"{path}: two {table} are named {shown(entry.name)}; rename one.")
        found[entry.name] = entry
    return tuple(found.values())
