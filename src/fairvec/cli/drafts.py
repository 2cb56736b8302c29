"""New files of word lists that a person fills in."""

from pathlib import Path

from fairvec.ground.errors import SettingError
from fairvec.ground.places import refuse_file


def refuse_to_write(file: Path, what: str) -> None:
    """Refuse a draft's place that is taken, or that no command would read; `what` it is of."""
    refuse_file(file, forcible=False)
    if file.suffix != ".toml":
        raise SettingError(f"{file}: a {what} is a .toml file; name it {file.stem}.toml.")
