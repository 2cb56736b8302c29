"""How texts of strangers are read and shown."""
