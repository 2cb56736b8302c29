"""Look over the finished site: nothing of it may come from elsewhere when it is read.

python -m scripts.site.last_look site
"""

import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}


class _Page(HTMLParser):
    """What one page loads, and which of its own files it points to."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.linked: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag in LOADED and (target := values.get(LOADED[tag])):
            self.loaded.append(target)
        if tag == "a" and (target := values.get("href")):
            self.linked.append(target)


def faults(site: Path) -> Iterator[str]:
    """Yield what is loaded from elsewhere, by pages and style sheets, and links to no file."""
    if not (site / "index.html").is_file():
        yield "there is no index.html, so the site was not built"
    for file in sorted(site.rglob("*.css")):
        text = file.read_text(encoding="utf-8")
        for mark in ("url(http", "url(//", "@import"):
            if mark in text.replace('"', "").replace("'", ""):
                yield f"{file.relative_to(site)} loads by {mark}"
    for file in sorted(site.rglob("*.html")):
        page = _Page()
        page.feed(file.read_text(encoding="utf-8"))
        for target in page.loaded:
            if urlsplit(target).netloc:
                yield f"{file.relative_to(site)} loads {target}"
        for target in page.linked:
            parts = urlsplit(target)
            if not parts.scheme and parts.path and not (file.parent / unquote(parts.path)).exists():
                yield f"{file.relative_to(site)} links to {target}, which is not there"


def main(site: str) -> None:
    """Print the faults and end with 1 if there are any."""
    found = list(faults(Path(site)))
    print("\n".join(found) or f"{site}: every page loads and links to what is there.")
    sys.exit(bool(found))


if __name__ == "__main__":
    main(sys.argv[1])
