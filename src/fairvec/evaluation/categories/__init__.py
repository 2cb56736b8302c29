"""One answer for a whole category: its bias tests pooled, and said in words."""
