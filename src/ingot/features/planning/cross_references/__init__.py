"""Issues and merge requests that texts and commits name: their readers are told by a system note."""
