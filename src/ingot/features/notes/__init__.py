"""Comments and discussions on merge requests, issues, commits and snippets."""
