"""Two lists regrouped: exact, certified and sampled p-values."""
