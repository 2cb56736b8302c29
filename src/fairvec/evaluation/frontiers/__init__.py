"""Every method at every strength: bias left against information kept."""
