"""From what an argument says to a place on the desktop."""
