"""The dialogs in which the agent asks a person."""
