"""New files of word lists and plans that a person fills in."""

from collections.abc import Callable
from pathlib import Path

from fairvec.cli.console import say
from fairvec.ground.disk.files import write_text
from fairvec.ground.disk.places import refuse_file
from fairvec.ground.errors import SettingError


def write_new_file(file: Path, what: str, text: Callable[[], str], *then: str) -> None:
    """Write a new file of `what`, and say what to do with it `then`.

    A place that is taken, or that no command would read, is refused before the text is made.
    """
    refuse_file(file, forcible=False)
    if file.suffix != ".toml":
        raise SettingError(f"{file}: a {what} is a .toml file; name it {file.stem}.toml.")
    write_text(file, text())
    say(f"{file} is written. Fill it in, then:", *then)
