"""One pure function a kind of test: from figures to a grade."""
