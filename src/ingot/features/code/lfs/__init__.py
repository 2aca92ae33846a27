"""Git LFS: large files beside the repository, by the batch API and its basic transfer."""
