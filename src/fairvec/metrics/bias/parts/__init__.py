"""What several metrics share: directions, associations, effect sizes, neighbourhoods."""
