"""Benchmarks that measure the promised figures. `mark-i bench NAME` runs one."""
