"""Addresses and names that others chose, made sure of before a file is called by them."""

from pathlib import PurePosixPath
from unicodedata import category
from urllib.parse import unquote, urlsplit

from fairvec.ground.errors import DownloadError
from fairvec.ground.text.one_line import on_one_line

LONGEST_NAME, LONGEST_ADDRESS = 200, 2000
"""Bytes of a name, which leaves room for what is added to it, and letters of an address."""

OWN_ENDINGS = (".part", ".about")
"""What a file is called until all of it has come, and what the server said of it."""


def plain_name(name: str) -> str:
    """Return a file's name as it is, or raise DownloadError: none may lead to another folder.

    No name is changed into a better one: two could become one.
    """
    if name.strip(". ") == "" or name.startswith("."):
        wrong = "does not name a file that can be seen"
    elif any(letter in '/\\:*?"<>|' or category(letter)[0] == "C" for letter in name):
        wrong = "holds a sign that is no part of a file's name"
    elif name[-1] in ". " or name.endswith(OWN_ENDINGS):
        wrong = "ends as no kept file does"
    elif len(name.encode()) > LONGEST_NAME:
        wrong = f"is longer than {LONGEST_NAME} bytes"
    else:
        return name
    raise DownloadError(
        f"The file name {on_one_line(name[:LONGEST_NAME])!r} {wrong}; name another file."
    )


def file_name(member: str) -> str:
    """Return the last part of a path inside an archive, if a file may be called so."""
    return plain_name(member.rpartition("/")[2])


def url_name(url: str) -> str:
    """Return the last part of a URL's path, if a file may be called so."""
    try:
        path = urlsplit(url).path
    except ValueError:
        raise _no_address(url) from None
    return plain_name(unquote(PurePosixPath(path).name))


def check_url(url: str) -> None:
    """Refuse an address that cannot be asked over the web or whose file could not be kept."""
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        known = False
    seen = all(letter.isprintable() and not letter.isspace() for letter in url)
    if not known or not seen or len(url) > LONGEST_ADDRESS:
        raise _no_address(url)
    url_name(url)


def _no_address(url: str) -> DownloadError:
    # Where the parts of it cannot be told apart, whatever stands before an @ may be secret.
    shown = on_one_line(url.rpartition("@")[2][:LONGEST_NAME])
    return DownloadError(f"{shown!r} is no address of the web; write it as https://host/file.")


def shown_url(url: str) -> str:
    """Return a URL on one line and without the user and password that it may hold."""
    scheme, mark, rest = url.partition("//")
    ends = min((at for sign in "/?#" if (at := rest.find(sign)) >= 0), default=len(rest))
    host = rest[:ends].rpartition("@")[2]
    return on_one_line(f"{scheme}{mark}{host}{rest[ends:]}")
