"""A method tried on a model that is open: fitted once, put at any strength, judged by tests."""
