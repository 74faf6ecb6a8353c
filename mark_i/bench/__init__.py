"""Benchmarks: what is promised in numbers, measured. `mark-i bench NAME` runs one."""
