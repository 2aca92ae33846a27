"""Events: user activity that the caller may see."""
