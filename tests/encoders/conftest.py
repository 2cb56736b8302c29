"""What the tests of encoders share."""

from collections.abc import Generator

import pytest

LARGE = {"torch", "transformers", "sentence_transformers"}
"""Not every machine that runs the tests has room for these."""


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Skip a file that imports what is not installed, and say what; other errors stay errors."""
    report = yield
    call = getattr(report, "call", None)
    error = call.excinfo.value.__cause__ if call and call.excinfo else None
    if isinstance(error, ModuleNotFoundError) and error.name in LARGE:
        report.outcome = "skipped"
        report.longrepr = (str(collector.path), 1, f"Skipped: {error.name} is not installed")
    return report
