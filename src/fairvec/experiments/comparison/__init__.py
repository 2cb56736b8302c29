"""What changed between two runs, test by test, and how sure that is."""
