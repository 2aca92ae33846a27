"""`python -m ingot.web.manual FOLDER` writes the manual as files."""

import sys
from pathlib import Path

from ingot.web.manual.files import write_files

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    sys.stdout.write(f"{folder}: {write_files(folder)} pages.\n")
