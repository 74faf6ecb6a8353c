"""The page of the tools."""
