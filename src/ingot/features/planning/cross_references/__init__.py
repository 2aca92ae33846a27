"""System notes on issues and merge requests that are mentioned in texts and commits."""
