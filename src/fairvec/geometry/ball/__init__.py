"""The Poincaré ball: formulas, means, the optimiser."""
