"""How extreme the grouping of these words is among all others: p-values and intervals."""
