"""What the interface answers: one file a question, each on the functions that the shell calls."""
