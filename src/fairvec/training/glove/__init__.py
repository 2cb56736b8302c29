"""GloVe, in flat space and in the Poincaré ball: one arrangement of pairs, two losses."""
