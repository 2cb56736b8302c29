"""Before and after, item by item."""
