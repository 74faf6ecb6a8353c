"""The workflow file: its graph, its order and its checks."""
