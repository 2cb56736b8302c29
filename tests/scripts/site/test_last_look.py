"""The finished site loads nothing from elsewhere; the look sees what would."""

from pathlib import Path

from scripts.site.last_look import faults


def test_what_comes_from_elsewhere_is_named(tmp_path: Path) -> None:
    body = (
        '<script src="https://cdn.example.org/a.js"></script><img src="b.png">'
        '<link rel="stylesheet" href="//fonts.example.org/c.css">'
        '<a href="https://example.org">out</a> <a href="page.html#x">in</a> '
        '<a href="gone.html">no</a>'
    )
    (tmp_path / "index.html").write_text("<p>A site.</p>", encoding="utf-8")
    (tmp_path / "page.html").write_text(body, encoding="utf-8")
    (tmp_path / "style.css").write_text("@font-face{src:url('https://x.org/f')}", encoding="utf-8")
    assert list(faults(tmp_path)) == [
        "style.css loads by url(http",
        "page.html loads https://cdn.example.org/a.js",
        "page.html loads //fonts.example.org/c.css",
        "page.html links to gone.html, which is not there",
    ]
    (tmp_path / "page.html").write_text('<img src="b.png">', encoding="utf-8")
    (tmp_path / "style.css").write_text("p{color:red}", encoding="utf-8")
    assert list(faults(tmp_path)) == []


def test_a_site_that_was_not_built_is_no_good_site(tmp_path: Path) -> None:
    assert list(faults(tmp_path / "site")) == ["there is no index.html, so the site was not built"]
