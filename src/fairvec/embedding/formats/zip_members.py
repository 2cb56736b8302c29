"""Refuse zip archives whose members overlap, by which a small file unpacks to a huge one."""

from zipfile import ZipFile

from fairvec.core.errors import FileFormatError
from fairvec.core.io.compression import SHARED, has_overlapping_members


def refuse_shared_members(name: str, archive: ZipFile) -> None:
    """Raise where members share a name or bytes."""
    if has_overlapping_members(archive):
        raise FileFormatError(
            f"{name} {SHARED}, as no archive of an embedding does; fetch it again, or unpack it "
            "yourself if you trust it."
        )
