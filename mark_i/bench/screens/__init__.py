"""Screens with hand-made truth: what is described in JSON, the programs that show it, and the icons on them."""
