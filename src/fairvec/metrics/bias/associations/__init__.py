"""How close the words of two lists are to those of two others."""
