"""Fleets: many goals on many virtual desktops, of which nothing is lost and nothing is done twice."""
