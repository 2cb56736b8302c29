"""The sections of a page, each made from records."""
