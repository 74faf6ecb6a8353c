"""Past runs and those that go on: found, played back, checked again, stopped."""
