"""What this machine can hold, and what is compiled for it."""
