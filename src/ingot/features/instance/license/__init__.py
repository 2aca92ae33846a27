"""The licence that clients of GitLab ask for: which tier this server has, and how many people use it."""
