"""Questions of the explorer: one module a topic, each on the functions that shell and Python call."""
