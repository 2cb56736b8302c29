"""The page about documents: who is in them, their marks, and a fairer version."""
