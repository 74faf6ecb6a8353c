"""Reading text in frames, and finding a text among the lines."""
