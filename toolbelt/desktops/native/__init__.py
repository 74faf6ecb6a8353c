"""The desktops of Windows and macOS."""
