"""A run as the window knows it: values, and no Tk."""
