"""Desktops: a screen, a mouse, a keyboard, a clipboard, windows and applications, on each system."""
