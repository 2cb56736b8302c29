"""The laws that fairvec's own metrics and methods obey, to be run on one from outside.

    from fairvec.testing import check_metric

    def test_my_metric_obeys() -> None:
        check_metric(MyMetric())

A broken law raises BrokenLawError, an AssertionError with one sentence. Nothing but fairvec is
needed to run them.
"""

from fairvec.core.errors import BrokenLawError
from fairvec.testing.checks import check_method, check_metric

__all__ = ["BrokenLawError", "check_method", "check_metric"]
