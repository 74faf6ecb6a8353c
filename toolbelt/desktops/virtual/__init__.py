"""Virtual desktops: an Xvfb screen with a window manager of its own."""
