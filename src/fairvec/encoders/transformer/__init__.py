"""Transformers in the layout of Hugging Face: config.json, a tokenizer and weights in a folder."""

from fairvec.encoders.transformer.input_embeddings import token_embeddings
from fairvec.encoders.transformer.model import read_transformer, recognises

__all__ = ["read_transformer", "recognises", "token_embeddings"]
