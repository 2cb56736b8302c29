"""WHERE words lie: maps of a vocabulary on axes that mean something, and scores over concepts."""
