"""One run: a plan, its findings, families and verdicts."""
