"""Looking at a desktop: settling, what changed, what is masked or redacted, and stale targets."""
