"""Which method at which strength: bias left against information kept."""
