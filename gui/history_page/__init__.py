"""The page of past runs."""
