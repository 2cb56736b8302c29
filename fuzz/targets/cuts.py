"""Damaged files that can tell: what counts or sums up its bytes is never read as another model.

cut-FORMAT       files that end too early, of formats that know their size
damaged-FORMAT   a byte changed, in archives that hold checksums
joined-FORMAT    line breaks lost or turned into something else, in text
cut-list         the list of words beside an array ends too early
quoted-FORMAT    a quotation mark that opens and never closes, in tables

Each is refused, read as the model that it was, or warned of; all else is a finding.
"""

import zipfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random

import numpy as np

from fairvec.embedding import Embedding, load, save
from fairvec.embedding.formats.text import remark_on_damage
from fuzz.cases import Change, Files, Target
from fuzz.honest import files_in, model
from fuzz.places import placed
from fuzz.targets.embeddings import honest_of
from fuzz.verdicts import BadAnswerError, RefusedError

UNCOUNTED = frozenset(("csv", "tsv", "glove-text"))
"""Of these nobody can know how much is missing."""
CHECKED = frozenset(("npz", "torch"))
"""Formats with checksums; so have the archives PACKED."""
PACKED = ("model.vec.gz", "model.vec.xz", "model.vec.bz2", "model.zip")
LINES = ("word2vec-text", "glove-text", "csv", "tsv")
WORDS = "model.txt"
"""The list of words that lies beside an array."""


def cuts(folder: Path) -> Iterator[Target]:
    """Give the targets of each format."""
    for name, main, honest in honest_of(folder):
        made = partial(_target, folder, main=main, files=honest[0])
        if name not in UNCOUNTED:
            yield made(f"cut-{name}", change=_cut, covers=[f"cut {name}"])
        if name in CHECKED:
            yield made(f"damaged-{name}", change=_damaged, covers=[f"damaged {name}"])
        if name in LINES:
            yield made(f"joined-{name}", change=_joined, covers=[f"joined {name}"])
        if name in ("csv", "tsv"):
            yield made(f"quoted-{name}", change=_quoted, covers=[f"quoted {name}"])
        if name == "npy":
            yield made("cut-list", change=_cut, covers=["cut list"], changed=WORDS)
    for main in PACKED:
        ending = main.rpartition(".")[2]
        yield _target(
            folder,
            f"damaged-{ending}",
            main,
            _packed(folder / "packed" / ending, main),
            _damaged,
            covers=[f"damaged {ending}"],
        )


def _target(
    folder: Path,
    name: str,
    main: str,
    files: Files,
    change: Change,
    *,
    covers: Sequence[str],
    changed: str = "",
) -> Target:
    """Return the target of one change; `changed` names the file, else it is the main one."""
    place = folder / "whole" / name
    place.mkdir(parents=True)
    placed(files, place)
    return Target(
        name=name,
        run=partial(_complete_or_refused, main=main, complete=load(place / main)),
        honest=[files],
        covers=covers,
        fixed=frozenset(files.keys() - {changed or main}),
        change=change,
        refuses=True,
    )


def _packed(folder: Path, main: str) -> Files:
    folder.mkdir(parents=True)
    if main.endswith(".zip"):
        text = save(model(), folder / "model.vec")
        with zipfile.ZipFile(folder / main, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(zipfile.ZipInfo(text.name), text.read_bytes())
        text.unlink()
    else:
        save(model(), folder / main)
    return files_in(folder)


def _cut(_: str, data: bytes, random: Random, others: Sequence[bytes]) -> tuple[bytes, str]:
    if len(data) < 2:
        return data, "as it is"
    # Half of the time only a few bytes are missing, which is the hardest to notice.
    least = max(1, len(data) - 40) if random.random() < 0.5 else 1
    at = random.randrange(least, len(data))
    return data[:at], f"cut at {at} of {len(data)}"


def _damaged(_: str, data: bytes, random: Random, others: Sequence[bytes]) -> tuple[bytes, str]:
    at = random.randrange(len(data))
    changed = data[at] ^ random.randrange(1, 256)
    return data[:at] + bytes([changed]) + data[at + 1 :], f"byte {at} is {changed}"


def _joined(_: str, data: bytes, random: Random, others: Sequence[bytes]) -> tuple[bytes, str]:
    instead = random.choice((b"", b" ", b"*", b"\r", b"\t", b"\v", "\u2028".encode()))
    # The first line may be a header, without which it is another kind of file.
    places = [at for at, byte in enumerate(data[:-1]) if byte == ord("\n")][1:]
    lost = places if random.random() < 0.3 else random.sample(places, min(2, len(places)))
    pieces = bytearray()
    for at, byte in enumerate(data):
        pieces += instead if at in lost else bytes([byte])
    return bytes(pieces), f"{len(lost)} line breaks are {instead!r}"


def _quoted(_: str, data: bytes, random: Random, others: Sequence[bytes]) -> tuple[bytes, str]:
    lines = data.split(b"\n")
    at = random.randrange(1, len(lines) - 1)
    lines[at] = b'"' + lines[at]
    return b"\n".join(lines), f"a quotation mark before line {at}"


def _complete_or_refused(folder: Path, main: str, complete: Embedding) -> None:
    read = load(folder / main)
    if list(read.keys) == list(complete.keys) and np.array_equal(read.vectors, complete.vectors):
        return
    if (remark := remark_on_damage(read)) and not remark_on_damage(complete):
        raise RefusedError(remark)  # which is said, if not refused
    raise BadAnswerError("silently another matrix", f"{len(read)} words for {len(complete)}")
