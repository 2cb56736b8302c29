"""Co-occurrence counts: exact, on all cores, within a limit of memory."""
