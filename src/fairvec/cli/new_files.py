"""Where a new file of word lists, or a plan, may be written for a person to fill in."""

from pathlib import Path

from fairvec.ground.errors import SettingError
from fairvec.ground.places import refuse_file


def refuse_new_file(file: Path, what: str) -> None:
    """Refuse a place that is taken, or a name that no command would read; `what` it would be."""
    refuse_file(file, forcible=False)
    if file.suffix != ".toml":
        raise SettingError(f"{file}: a {what} is a .toml file; name it {file.stem}.toml.")
