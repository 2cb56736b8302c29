"""What the list of a zip archive may say, looked at before anything of it is unpacked."""

from itertools import pairwise
from zipfile import ZipFile

from fairvec.ground.errors import FileFormatError


def refuse_shared_members(name: str, archive: ZipFile) -> None:
    """Raise where members share a name or bytes.

    Of two that share a name each reader may take another one, and a short file whose members share
    bytes could become any number of them.
    """
    listed = sorted(archive.infolist(), key=lambda info: info.header_offset)
    shared = any(
        one.header_offset + one.compress_size > other.header_offset
        for one, other in pairwise(listed)
    )
    if shared or len({info.filename for info in listed}) < len(listed):
        raise FileFormatError(
            f"{name} holds members that share a name or the same bytes, as no archive of an "
            "embedding does; fetch it again, or unpack it yourself if you trust it."
        )
