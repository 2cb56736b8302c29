"""The native format, memory-mapped."""
