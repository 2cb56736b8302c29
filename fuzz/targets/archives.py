"""Models inside .gz, .xz, .bz2 and .zip, changed inside and outside."""

import bz2
import gzip
import io
import lzma
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from fairvec.embedding import save
from fairvec.embedding.archives import SUFFIXES
from fuzz.cases import Target
from fuzz.crafted import crafted_for
from fuzz.honest import model
from fuzz.targets.embeddings import read_model

INSIDE = ("model.vec", "model.bin", "model.npz", "model.fairvec")
PACK: dict[str, Callable[[str, bytes], bytes]] = {
    ".gz": lambda name, data: gzip.compress(data, mtime=0),
    ".xz": lambda name, data: lzma.compress(data),
    ".bz2": lambda name, data: bz2.compress(data),
}


def archives(folder: Path) -> Iterator[Target]:
    """Give a target for each kind of archive."""
    for name in INSIDE:
        save(model(), folder / name, force=True)
    contents = {name: (folder / name).read_bytes() for name in INSIDE}
    for suffix in SUFFIXES:
        pack = PACK.get(suffix, _zipped)
        main = f"model.vec{suffix}"
        called = f"archive{suffix.replace('.', '-')}"
        yield Target(
            name=called,
            run=partial(read_model, name=main),
            honest=[{main: pack(name, data)} for name, data in contents.items()],
            crafted=crafted_for(called, {}, main),
            covers=[f"archive {suffix}"],
        )


def _zipped(name: str, data: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo(f"folder/{name}"), data)
        archive.writestr(zipfile.ZipInfo("README"), b"A model.")
    return buffer.getvalue()
