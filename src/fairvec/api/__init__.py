"""In Python: what a user calls at the top of `fairvec`, and what comes back."""
