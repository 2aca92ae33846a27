"""Groups and projects, and what belongs to both."""
