"""Templates for files, issues and merge requests, taken from repositories."""
