"""A fitted method: applied to arrays, models and files, saved and read back."""
