"""Safetensors files of keys and vectors."""
