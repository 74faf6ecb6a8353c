"""Skills: a good run as a file that a person can read, done again without a model."""
