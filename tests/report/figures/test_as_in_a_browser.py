"""What is written into a picture is what a browser makes of the page's style sheet."""

import json
import re
from html import escape, unescape
from pathlib import Path

import pytest

from fairvec.report.page import environment
from tests.report.browser import BROWSER, _dom
from tests.report.figures.test_pictures import pictures

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(BROWSER is None, reason="neither chromium nor google-chrome is on the PATH"),
]

_PROBE = Path(__file__).parents[1] / "probe_pictures.js"


@pytest.mark.parametrize("name", ["forest", "forest-of-several", "categories", "strip-hi", "heat"])
def test_a_picture_looks_as_the_page_would_show_it(name: str, tmp_path: Path) -> None:
    assert BROWSER is not None
    picture = pictures()[name]
    css = "".join(environment().get_template(f"{one}.css").render() for one in ("style", "summary"))
    wide, high = picture.width, picture.height
    size = f'width="{wide}" height="{high}" viewBox="0 0 {wide} {high}"'
    with_sheet = picture.drawn.replace("<svg>", f"<svg {size}>", 1)
    alone = escape(f'<body style="margin:0">{picture.svg()}</body>')
    probe = _PROBE.read_text(encoding="utf-8")
    (tmp_path / "frames.html").write_text(
        f'<!doctype html><meta charset="utf-8"><style>{css}</style>{with_sheet}'
        f'<iframe id="alone" width="1200" height="900" srcdoc="{alone}"></iframe>'
        f'<pre id="answers"></pre><script>{probe}</script>',
        encoding="utf-8",
    )
    found = re.search(r'<pre id="answers">(.*?)</pre>', _dom(BROWSER, tmp_path, "light"), re.DOTALL)
    assert found
    on_page, standing = json.loads(unescape(found[1]))
    assert len(on_page) > 10
    assert standing == on_page
