"""New files of word lists that a person fills in."""

from pathlib import Path

from fairvec.ground.errors import SettingError


def refuse_to_write(file: Path, what: str) -> None:
    """Refuse a draft's place that is taken, or that no command would read; `what` it is of."""
    if file.exists():
        raise SettingError(f"{file} exists already; choose another name.")
    if file.suffix != ".toml":
        raise SettingError(f"{file}: a {what} is a .toml file; name it {file.stem}.toml.")
