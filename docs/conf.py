"""How Sphinx makes the site out of these pages; `make docs` runs it."""

import sys
import tempfile
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS.parent))

from fairvec.version import __version__  # noqa: E402 - the path comes first
from scripts.site import navigation, reference, tutorials  # noqa: E402 - the path comes first

project = "fairvec"
author = "The fairvec authors"
version = release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]

myst_heading_anchors = 4
# Blocks without a language hold commands and formulas, and are shown as they are.
highlight_language = "text"
# Docstrings write names in single backticks.
default_role = "code"

autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_maximum_signature_line_length = 88
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = f"fairvec {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
# The schema keeps a place of its own, so that others can refer to it.
html_extra_path = ["results.schema.json"]
html_copy_source = False
html_show_sphinx = False


def read_page(app: Any, name: str, source: list[str]) -> None:
    """Give the index its navigation, and a tutorial what its cells print."""
    if name == "index":
        source[0] = navigation.with_navigation(source[0])
    elif name.startswith("tutorials/"):
        source[0] = executed(app, name, source[0])


def executed(app: Any, name: str, text: str) -> str:
    """Run a tutorial, keep the pages it wrote beside it, and return it with its outputs."""
    with tempfile.TemporaryDirectory() as folder:
        outputs = tutorials.run(text, f"{name}.md", Path(folder))
        links = []
        for report in sorted(Path(folder).rglob("*.html")):
            kept = Path(app.outdir, "reports", Path(name).name, report.relative_to(folder))
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_bytes(report.read_bytes())
            place = kept.relative_to(app.outdir).as_posix()
            links.append(f'- <a href="../{place}">{report.relative_to(folder).as_posix()}</a>')
    page = tutorials.with_outputs(text, outputs)
    if links:
        page += "\n\n## What this page wrote\n\n" + "\n".join(links) + "\n"
    return page


def without_requests(
    app: Any, what: str, name: str, member: Any, skip: bool, options: Any
) -> bool | None:
    """Leave out what scikit-learn gives its estimators: it links to pages of its own site."""
    return True if name.startswith("set_") and name.endswith("_request") else None


def setup(app: Any) -> None:
    """Write the reference and hook in what runs while pages are read."""
    reference.write_reference(DOCS / "reference" / "generated")
    app.connect("source-read", read_page)
    # Napoleon reads docstrings at 500: it takes what a property says before a colon for a type.
    app.connect("autodoc-process-docstring", properties_as_written, priority=400)
    app.connect("autodoc-process-docstring", formulas_as_written, priority=900)
    app.connect("autodoc-process-signature", factories_as_dots)
    app.connect("autodoc-skip-member", without_requests)


def formulas_as_written(
    app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]
) -> None:
    """Keep the formulas of a docstring as they are."""
    lines[:] = reference.as_written(lines)


def properties_as_written(
    app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]
) -> None:
    """Keep the colons of a property's sentence."""
    if what in ("property", "attribute"):
        lines[:] = [line.replace(": ", " \N{EN DASH} ") for line in lines]


def factories_as_dots(
    app: Any, what: str, name: str, obj: Any, options: Any, signature: str | None, returns: Any
) -> tuple[str, Any] | None:
    """Write a default that is made on the spot in a way that Python can read."""
    return (signature.replace("<factory>", "..."), returns) if signature else None
