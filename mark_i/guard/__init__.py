"""The guard: what an action may do, whose word it rests on, and what must not be told."""
