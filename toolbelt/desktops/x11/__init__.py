"""A desktop under X11."""
