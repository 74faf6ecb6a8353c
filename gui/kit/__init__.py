"""The widgets, colors and type that every page is made of."""
