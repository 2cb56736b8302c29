"""A real browser, driven by its command line alone."""

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
BROWSER = next((path for name in NAMES if (path := shutil.which(name))), None)

_HEAD = """<script>
var errors = [];
addEventListener("error", (event) => errors.push(event.message));
addEventListener("securitypolicyviolation", (event) => errors.push("blocked " + event.blockedURI));
console.error = (...words) => errors.push(words.join(" "));
</script>"""
_FRAMES = """<!doctype html><meta charset="utf-8"><pre id="answers"></pre><script>
const answers = {{}};
addEventListener("message", (event) => {{
  answers[event.data.width] = event.data;
  document.getElementById("answers").textContent = JSON.stringify(answers);
}});
</script>{frames}"""


TRIES = 4
"""On a busy machine a frame may not have answered when the browser's own time is over."""


def measurements(
    page: str, widths: tuple[int, ...], scheme: str, probe_file: str = "probe.js"
) -> dict[str, dict[str, Any]]:
    """Open the page in frames of these widths and return what the probe measured in each.

    Frames are used because a browser's own window has a smallest width above a phone's.
    """
    if BROWSER is None:
        raise FileNotFoundError("no browser is installed")
    probe = Path(__file__).with_name(probe_file).read_text(encoding="utf-8")
    probed = page.replace("<head>", "<head>" + _HEAD, 1)
    probed = probed.replace("</body>", f"<script>{probe}</script></body>", 1)
    with TemporaryDirectory() as folder:
        (Path(folder) / "page.html").write_text(probed, encoding="utf-8")
        frames = "".join(
            f'<iframe src="page.html" width="{width}" height="800" style="border:0"></iframe>'
            for width in widths
        )
        (Path(folder) / "frames.html").write_text(_FRAMES.format(frames=frames), encoding="utf-8")
        found: dict[str, dict[str, Any]] = {}
        for _ in range(TRIES):
            dom = _dom(BROWSER, Path(folder), scheme)
            answers = re.search(r'<pre id="answers">(.*?)</pre>', dom, re.DOTALL)
            # Nothing stands there as long as no frame has answered.
            found = json.loads((unescape(answers[1]) if answers else "") or "{}")
            if len(found) == len(widths):
                break
    return found


def pages_on_paper(page: str, paper: str) -> int:
    """Print the page on paper of this size and return how many pages that takes."""
    if BROWSER is None:
        raise FileNotFoundError("no browser is installed")
    # Last, so that it stands; a browser's command line has no option for the size of paper.
    sized = page.replace("</style>", f"@page {{ size: {paper}; }}</style>", 1)
    with TemporaryDirectory() as folder:
        file, printed = Path(folder) / "page.html", Path(folder) / "page.pdf"
        file.write_text(sized, encoding="utf-8")
        _browse(
            BROWSER, Path(folder), ["--no-pdf-header-footer", f"--print-to-pdf={printed}"], file
        )
        return len(re.findall(rb"/Type\s*/Page\b", printed.read_bytes()))


def _dom(browser: str, folder: Path, scheme: str) -> str:
    colours = f"--blink-settings=preferredColorScheme={0 if scheme == 'dark' else 1}"
    options = [colours, "--window-size=1400,1000", "--virtual-time-budget=4000", "--dump-dom"]
    return _browse(browser, folder, options, folder / "frames.html")


def _browse(browser: str, folder: Path, options: list[str], file: Path) -> str:
    return subprocess.run(
        [
            browser,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-quic",
            "--hide-scrollbars",
            "--host-resolver-rules=MAP * ~NOTFOUND",
            f"--user-data-dir={folder / 'profile'}",
            *options,
            file.as_uri(),
        ],
        check=True,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    ).stdout


def luminance(colour: str) -> float:
    channels = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted([luminance(one), luminance(other)])
    return (lighter + 0.05) / (darker + 0.05)
