"""Which suites and words concern a model."""
