"""How files are read and written, and what a run leaves behind."""
