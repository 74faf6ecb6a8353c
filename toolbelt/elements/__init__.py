"""The controls on a frame, their marks, and the overlay that shows them."""
