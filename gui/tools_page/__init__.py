"""The page of tools."""
