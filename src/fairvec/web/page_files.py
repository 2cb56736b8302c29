"""The files of the page, each known by name before anybody asks: no address is made a path."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

KINDS = {
    "html": "text/html",
    "css": "text/css",
    "js": "text/javascript",
    "svg": "image/svg+xml",
    "png": "image/png",
}
PAGES = files("fairvec.web") / "pages"


@dataclass(frozen=True)
class PageFile:
    """A file of this package, and what a browser is told that it is."""

    file: Traversable
    kind: str


def page_files() -> dict[str, PageFile]:
    """Return all files of the page by their paths below its folder; other kinds are no pages."""
    return dict(_below(PAGES, ""))


def _below(folder: Traversable, path: str) -> Iterator[tuple[str, PageFile]]:
    for file in folder.iterdir():
        kind = KINDS.get(file.name.rpartition(".")[2])
        if file.is_dir():
            yield from _below(file, f"{path}{file.name}/")
        elif kind is not None:
            yield f"{path}{file.name}", PageFile(file, kind)
