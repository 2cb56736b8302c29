"""An explorer that runs, and a real browser before it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.report.browser import BROWSER

pytest.importorskip("playwright", reason="playwright is not installed")
pytest.importorskip("uvicorn", reason="the extra web is not installed")

from playwright.sync_api import Browser, sync_playwright

NEEDS_BROWSER = [
    pytest.mark.browser,
    pytest.mark.skipif(BROWSER is None, reason="neither chromium nor google-chrome is on the PATH"),
]
EXPLORE = (
    "import sys, fairvec.cli\nsys.argv = ['fairvec', 'explore', *sys.argv[1:]]\nfairvec.cli.main()"
)


@contextmanager
def running_explorer(*models: str) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """Start an explorer as a person does, and give the address that it prints."""
    asked = [sys.executable, "-c", EXPLORE, *models, "--no-browser"]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    with subprocess.Popen(
        asked, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as process:
        try:
            assert process.stdout is not None
            address = next(line for line in process.stdout if line.startswith("http://"))
            yield address.strip(), process
        finally:
            process.terminate()


@contextmanager
def started_browser() -> Iterator[Browser]:
    """Start the machine's own browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()
