"""What the catalogue knows of one thing, a line a fact."""

from collections.abc import Iterator
from typing import Any

from fairvec.catalogue.addresses import shown_url
from fairvec.catalogue.entry import CatalogueEntry


def lines_about(entry: CatalogueEntry) -> Iterator[str]:
    """Give each fact as `name: value`; what is empty says nothing and is left out."""
    facts = entry.model_dump(mode="json")
    flat = facts.get("geometry") == "euclidean"
    for name, value in facts.items():
        if name == "curvature" and flat:
            yield "curvature: none, the space is flat"
        elif name == "source":
            yield f"source: {_where(value)}"
        elif isinstance(value, dict | list):
            if value:
                yield f"{name}: {_listed(value)}"
        else:
            yield f"{name}: {'not known' if value is None else value}"


def _where(source: dict[str, Any] | None) -> str:
    """Say where it is to be had."""
    if source is None:
        return "nobody publishes this file; FAIRVEC_DATA has to name a folder that has it"
    inside = f", in it {source['member']}" if source.get("member") else ""
    if source["kind"] == "shipped":
        return f"shipped with fairvec, as {source['file']}"
    if source["kind"] == "package":
        return f"{source['registry']} package {source['package']} {source['version']}{inside}"
    return f"{shown_url(source['url'])}{inside}"


def _listed(value: dict[str, Any] | list[Any]) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return ", ".join(f"{name} = {one}" for name, one in value.items())
