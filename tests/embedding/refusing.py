"""Files that nobody should read, shown to fairvec in a process that may take little."""

from collections.abc import Mapping
from pathlib import Path

from tests.limits import outcome

TRIAL = """
import sys
from pathlib import Path
import fairvec
from fairvec.core.errors import FileFormatError
{before}
expected = {expected!r}
for path in sorted(Path({folder!r}).glob({files!r})):
    print(path.stem, flush=True)
    try:
        fairvec.load(path, format={format!r})
    except FileFormatError as error:
        said = str(error)
        if isinstance(error.__cause__, MemoryError):
            sys.exit(f"{{path.stem}} took all memory")
        if expected.get(path.stem, "") not in said:
            sys.exit(f"{{path.stem}} is refused for another reason: {{said}}")
        if chr(10) in said or path.name not in said or len(said) > 400:
            sys.exit(f"{{path.stem}} says: {{said}}")
    else:
        sys.exit(f"{{path.stem}} was read")
print("each was refused")
"""


def refuse_each(
    folder: Path,
    files: str,
    format: str,
    *,
    expected: Mapping[str, str] | None = None,
    before: str = "",
    megabytes: int,
) -> None:
    """Hold that each of the files is refused in one short sentence that names it.

    `expected` says by the name of a file why; `before` is run first.
    """
    shown = {path.stem for path in folder.glob(files)}
    assert shown
    assert expected is None or shown == {*expected}
    how = {"folder": str(folder), "files": files, "format": format, "before": before}
    trial = TRIAL.format(**how, expected=dict(expected or {}))
    assert outcome(trial, megabytes=megabytes) == "each was refused"
