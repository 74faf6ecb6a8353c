"""The page of fleets."""
