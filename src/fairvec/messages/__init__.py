"""The sentences: how a result is said in words, as pure functions of records."""
