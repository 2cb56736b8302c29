"""What people read of a file: one file a format."""
