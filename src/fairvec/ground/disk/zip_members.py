"""What the list of a zip archive says, looked at before anything of it is unpacked."""

from itertools import pairwise
from zipfile import ZipFile

SHARED = "holds members that share a name or the same bytes"


def members_share(archive: ZipFile) -> bool:
    """Say whether members share a name or bytes.

    Of two that share a name each reader may take another one, and a short file whose members share
    bytes could become any number of them.
    """
    listed = sorted(archive.infolist(), key=lambda info: info.header_offset)
    bytes_too = any(
        one.header_offset + one.compress_size > other.header_offset
        for one, other in pairwise(listed)
    )
    return bytes_too or len({info.filename for info in listed}) < len(listed)
