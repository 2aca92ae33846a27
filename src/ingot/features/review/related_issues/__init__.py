"""Issues and merge requests that name each other, that close each other, or share a milestone."""
