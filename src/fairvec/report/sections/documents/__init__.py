"""The parts of a page about documents: the answers, the text with marks, the changes."""
