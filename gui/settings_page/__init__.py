"""The page of the settings."""
