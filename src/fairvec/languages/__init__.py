"""How a language is written: scripts, spelling rules, codes."""
