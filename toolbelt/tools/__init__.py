"""The tools that come with MARK-I. They enter the Toolbelt by the same door as anybody's."""
