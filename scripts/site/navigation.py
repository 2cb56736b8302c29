"""The navigation of the site, read from docs/index.md: its headings and the pages they link to."""

import re

LINK = re.compile(r"\]\((?!https?:)(?P<page>[^)#]+)\.md\)")


def navigation(index: str) -> dict[str, list[str]]:
    """Return the pages under each heading of the index, each where it is linked to first."""
    seen: set[str] = set()
    tree: dict[str, list[str]] = {}
    for section in re.split(r"^## ", index, flags=re.MULTILINE)[1:]:
        heading, _, body = section.partition("\n")
        pages = [link["page"] for link in LINK.finditer(body)]
        tree[heading.strip()] = [page for page in dict.fromkeys(pages) if page not in seen]
        seen.update(pages)
    return tree


def with_navigation(index: str) -> str:
    """Return the index with a hidden table of contents for each heading, as Sphinx wants it."""
    tables = [
        "\n".join(["```{toctree}", f":caption: {heading}", ":hidden:", "", *pages, "```"])
        for heading, pages in navigation(index).items()
        if pages
    ]
    return "\n\n".join([index, *tables, ""])
