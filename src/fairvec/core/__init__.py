"""What knows nothing: errors, settings, numbers, files, texts, this machine, what others add."""
