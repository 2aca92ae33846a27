"""Git over HTTP: clone, fetch and push at a project's address."""
