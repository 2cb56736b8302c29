"""Bringing a file from a URL over a line that may break."""

from dataclasses import dataclass
from pathlib import Path

import requests

from fairvec.catalogue.fetching.progress import BLOCK
from fairvec.ground.files import Progress

TIMEOUT = (15, 60)
"""Seconds to wait for a connection and for the next bytes."""

PAGE = "text/html"

CONTINUATIONS = (requests.codes.partial_content, requests.codes.requested_range_not_satisfiable)
"""What a server answers to a request for the rest of a file."""


@dataclass(frozen=True)
class Resuming:
    """A downloader for pooch that goes on where an earlier one broke off.

    What has come lies in `part`, and beside it what the server said of the whole file, so that a
    file that changed in between is begun again and never patched together. Where no checksum
    will tell, `refuses_pages`: a server that wants a login sends a web page as if all were well.
    """

    part: Path
    progress: Progress | None = None
    refuses_pages: bool = False

    def __call__(self, url: str, output_file: str, pooch: object) -> None:
        """Fetch all of `url` into `output_file`, as pooch asks of a downloader."""
        self._gather(url)
        self.part.replace(output_file)
        self._description.unlink(missing_ok=True)

    @property
    def _description(self) -> Path:
        return self.part.with_name(self.part.name + ".about")

    def _have(self) -> int:
        return self.part.stat().st_size if self.part.exists() else 0

    def _gather(self, url: str) -> None:
        """Ask again after a break for as long as each attempt gets further than the last."""
        while True:
            before = self._have()
            try:
                return self._receive(url)
            except requests.RequestException:
                if self._have() <= before:
                    raise

    def _receive(self, url: str) -> None:
        have = self._have()
        # Without compression on the way, the bytes counted are the bytes kept.
        wanted = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
        with requests.get(url, headers=wanted, stream=True, timeout=TIMEOUT) as answer:
            if answer.status_code == requests.codes.ok:
                have = 0  # nothing was there yet, or this server sends whole files only
            elif have and answer.status_code in CONTINUATIONS and not self._goes_on(answer, have):
                self.part.unlink()
                return self._receive(url)
            answer.raise_for_status()
            if self.refuses_pages and answer.headers.get("Content-Type", "").startswith(PAGE):
                raise ValueError("the server sends a web page instead of the file")
            length = answer.headers.get("Content-Length")
            total = have + int(length) if length else 0
            self._description.write_text(description(answer), encoding="utf-8")
            with self.part.open("ab" if have else "wb") as file:
                for block in answer.iter_content(BLOCK):
                    file.write(block)
                    have += len(block)
                    if self.progress is not None:
                        self.progress(have, total)
        if have < total:
            raise requests.ConnectionError(f"the connection closed after {have} of {total} bytes")
        return None

    def _goes_on(self, answer: requests.Response, have: int) -> bool:
        return (
            answer.status_code == requests.codes.partial_content
            and answer.headers.get("Content-Range", "").startswith(f"bytes {have}-")
            and self._description.exists()
            and self._description.read_text(encoding="utf-8") == description(answer)
        )


def description(answer: requests.Response) -> str:
    """Return what tells one version of a file from another: its ETag or date, and its size."""
    headers = answer.headers
    version = headers.get("ETag") or headers.get("Last-Modified") or "no version"
    size = headers.get("Content-Range", "").rpartition("/")[2] or headers.get("Content-Length", "?")
    return f"{version}\n{size}\n"
