"""How files are read and written: whole or not at all, locked, compressed, as safetensors."""
