"""How many words a test needs: its lists drawn again, shorter and longer."""
