"""The binary files of fastText, with sub-words."""
