"""Issues, as far as closing patterns, milestones and archives need them."""
