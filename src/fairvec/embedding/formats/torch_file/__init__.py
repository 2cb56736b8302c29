"""Tensors of torch, with a list of words in a file beside them."""
