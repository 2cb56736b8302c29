"""Transformers in the layout of Hugging Face: config.json, a tokenizer and weights in a folder."""

from fairvec.encoders.transformer.input_embeddings import read_input_embeddings
from fairvec.encoders.transformer.model import read_transformer, recognises

__all__ = ["read_input_embeddings", "read_transformer", "recognises"]
