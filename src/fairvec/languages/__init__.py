"""Languages: scripts, spelling, tokens, word tables, and one folder of rewriting rules for each."""
