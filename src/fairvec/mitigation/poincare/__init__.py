"""The mathematics of Poincaré Gender Debias."""
