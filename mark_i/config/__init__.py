"""What a person configures: settings, keys, and where everything is kept."""
