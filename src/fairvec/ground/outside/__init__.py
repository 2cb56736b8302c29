"""What others bring: plugins, their origins and their contracts."""
