"""Issues and merge requests that texts and commits mention get a system note."""
