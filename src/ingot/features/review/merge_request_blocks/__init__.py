"""Dependencies between merge requests: one must be merged before the other."""
