"""Text of strangers as Markdown that shows it and does nothing else."""

import re

from fairvec.ground.text.visible_text import visible

_MARKS = re.compile(r"([\\`*_{}\[\]<>|~$])")
# References to people, issues and addresses have no escape of their own.
_REFERENCES = re.compile(r"[&@#]|:(?=\S)|(?<=www)\.", re.IGNORECASE)
_TAGS_AND_LINKS = re.compile(r"<(?=[A-Za-z/!?])|\](?=\s*[(\[:])|[`\\]")


def escaped_markdown(text: str, longest: int | None = None) -> str:
    """Return any text as Markdown that shows it, on one line, and does nothing else."""
    plain = _plain(text)
    if longest is not None and len(plain) > longest:
        plain = f"{plain[:longest]}..."
    return _MARKS.sub(r"\\\1", _REFERENCES.sub(lambda found: f"&#{ord(found[0])};", plain))


def without_tags(text: str) -> str:
    """Return prose of ours that names of strangers stand in: no tag, link or code begins in it."""
    return _TAGS_AND_LINKS.sub(r"\\\g<0>", _plain(text))


def markdown_code(text: str, *, in_table: bool = False) -> str:
    """Return text as code, in more backticks than it has itself."""
    plain = _plain(text)
    fence = "`" * (max(map(len, re.findall("`+", plain)), default=0) + 1)
    inside = plain.replace("|", "\\|") if in_table else plain
    return f"{fence} {inside} {fence}" if "`" in plain else f"{fence}{inside}{fence}"


def _plain(text: str) -> str:
    return visible(" ".join(text.split()), but="")
