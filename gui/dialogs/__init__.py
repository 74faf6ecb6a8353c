"""The dialogs in which the agent waits for a person."""
