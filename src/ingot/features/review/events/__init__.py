"""Events: what people did, as far as the caller may know of it."""
