"""Draft notes: comments on a merge request that only their author sees until they are published."""
