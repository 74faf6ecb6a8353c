"""Hands and eyes: desktops, capture, settling, reading, targets, the tools and the belt that holds them."""
