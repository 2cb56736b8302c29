"""What a paper printed."""
