"""The cases of each module of messages/: which sentence in which kind of case."""
