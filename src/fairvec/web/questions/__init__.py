"""Questions of the explorer, a module a topic, on functions that shell and Python call too."""
