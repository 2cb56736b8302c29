"""How often words stand near one another: exact, on all cores, within a limit of memory."""
