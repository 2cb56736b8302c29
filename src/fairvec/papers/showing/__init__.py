"""The comparison as lines, tables and a page."""
