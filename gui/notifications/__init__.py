"""What a run tells a person who looks elsewhere, through the desktop's own notifications."""
