"""Gates: a condition asked of rows, told in a terminal, a pull request or a JUnit file."""
