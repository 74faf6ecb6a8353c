"""The node types that come with MARK-I."""
