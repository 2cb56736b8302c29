"""What knows nothing: errors, files, memory, compiled loops, layouts, when a p is significant."""
