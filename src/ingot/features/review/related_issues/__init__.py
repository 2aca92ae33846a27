"""Issues and merge requests that mention or close each other, or share a milestone."""
