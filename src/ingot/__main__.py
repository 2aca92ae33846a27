"""`python -m ingot` and the `ingot` command."""

from ingot.cli import main

if __name__ == "__main__":
    main()
