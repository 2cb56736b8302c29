"""fairvec convert: an embedding into another format."""

from pathlib import Path
from typing import Annotated

import typer

from fairvec import catalogue
from fairvec.cli.console import progress_bar, say
from fairvec.cli.opening import opened
from fairvec.cli.reading_options import reads_a_model
from fairvec.cli.words import words_of_file
from fairvec.embedding import AS_FOUND, Reading, loses, save
from fairvec.embedding.formats.native_file.metadata import native_metadata
from fairvec.embedding.formats.writers import WRITERS
from fairvec.embedding.saving import writer_of
from fairvec.ground.disk.places import refuse_file
from fairvec.ground.numbers import counted

_FORMAT = ", ".join(writer.name for writer in WRITERS)
_ENDING = ", ".join(suffix for writer in WRITERS for suffix in writer.suffixes)


@reads_a_model()
def convert(
    model: Annotated[str, typer.Argument(help="A file, or a name from 'fairvec models list'.")],
    file: Annotated[
        Path,
        typer.Argument(
            help=f"The file to write; its ending chooses the format: {_ENDING}, those of text "
            "and .bin also with .gz, .xz or .bz2."
        ),
    ],
    words: Annotated[
        Path | None, typer.Option(help="Keep only the words in this text file, one a line.")
    ] = None,
    to: Annotated[
        str | None, typer.Option(help=f"Format to write, whatever the ending: {_FORMAT}.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file.")] = False,
    reading: Reading = AS_FOUND,
) -> None:
    """Write a model in another format and say what that format does not keep."""
    writer = writer_of(file, to)
    refuse_file(file, force=force)
    wanted = None if words is None else words_of_file(words)
    embedding = opened(model, reading, words=wanted)
    licence, origin = _rights(model)
    with progress_bar(f"writing {file}") as progress:
        save(embedding, file, format=to, licence=licence, origin=origin, progress=progress)
    shape = f"{counted(len(embedding), 'key')} x {embedding.dimensions}"
    say(f"{file}: {shape} in the format {writer.name}")
    if wanted is not None and len(embedding) < (asked := len(set(wanted))):
        lacking = asked - len(embedding)
        verb = "is" if lacking == 1 else "are"
        say(f"{lacking:,} of the {counted(asked, 'word')} wanted {verb} not in {model}.")
    if lost := loses(embedding, file, format=to, licence=licence, origin=origin):
        say(f"Not kept: {', '.join(lost)}; only .fairvec keeps everything.")


def _rights(model: str) -> tuple[str, str]:
    """Return licence and origin, where the file or the catalogue knows them."""
    path = Path(model)
    if path.is_file():
        if path.suffix != ".fairvec":
            return "", ""
        known = native_metadata(path)
        return known.licence, known.origin
    if model not in catalogue.names():  # a member of an archive
        return "", ""
    entry = catalogue.find(model)
    return entry.licence, entry.origin
