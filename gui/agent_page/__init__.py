"""The page on which a goal is given and run."""
