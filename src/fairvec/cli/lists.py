"""Print entries of the catalogue and findings of the linter; write new files to fill in."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

from fairvec.catalogue.cache import redact_url
from fairvec.catalogue.entries import CatalogueEntry
from fairvec.cli.console import print_answer, print_note
from fairvec.cli.options import Option
from fairvec.core.errors import SettingError
from fairvec.core.format import pluralize
from fairvec.core.io.atomic_files import check_writable_file, write_text
from fairvec.lexicon import Finding


def entry_lines(entry: CatalogueEntry) -> Iterator[str]:
    """Yield each fact as `name: value`; empty lists are left out."""
    facts = entry.model_dump(mode="json")
    flat = facts.get("geometry") == "euclidean"
    for name, value in facts.items():
        if name == "curvature" and flat:
            yield "curvature: none, the space is flat"
        elif name == "source":
            yield f"source: {_where(value)}"
        elif isinstance(value, dict | list):
            if value:
                yield f"{name}: {_listed(value)}"
        else:
            yield f"{name}: {'not known' if value is None else value}"


def _where(source: dict[str, Any] | None) -> str:
    """Return where the file comes from."""
    if source is None:
        return "no address of its own; FAIRVEC_DATA has to name a folder that has it"
    inside = f", in it {source['member']}" if source.get("member") else ""
    if source["kind"] == "shipped":
        return f"shipped with fairvec, as {source['file']}"
    if source["kind"] == "package":
        return f"{source['registry']} package {source['package']} {source['version']}{inside}"
    return f"{redact_url(source['url'])}{inside}"


def _listed(value: dict[str, Any] | list[Any]) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return ", ".join(f"{name} = {one}" for name, one in value.items())


def write_new_file(file: Path, what: str, text: Callable[[], str], *then: str) -> None:
    """Write a new file of a kind (`what`) and print the commands that come `then`.

    An existing file, or one that no command would read, is refused before the text is made.
    """
    check_writable_file(file, forcible=False)
    if file.suffix != ".toml":
        raise SettingError(f"{file}: a {what} is a .toml file; name it {file.stem}.toml.")
    write_text(file, text())
    print_note(f"{file} is written. Fill it in, then:", *then)


Waived = Annotated[
    bool, Option("--waived/--no-waived", help="Also list the findings waived in the file.")
]


def print_findings(findings: Sequence[tuple[str, Finding]], linted: str, *, waived: bool) -> bool:
    """Print the findings, each with the id it is about; return whether some are not waived."""
    unwaived = [(id, finding) for id, finding in findings if finding.waived is None]
    for id, finding in findings if waived else unwaived:
        reason = "" if finding.waived is None else f" (waived: {finding.waived})"
        print_answer(f"{id}: {finding.code}: {finding.message}{reason}")
    print_note(
        f"{linted}, {pluralize(len(unwaived), 'finding')}, {len(findings) - len(unwaived)} waived"
    )
    return bool(unwaived)
