"""Measurements. Each module has a `main()` that prints one table; `python -m bench [names]` runs them."""
