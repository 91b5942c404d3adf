"""``python -m solitaire_lab`` is the program ``solitaire-lab``."""

import sys

from solitaire_lab.cli import main

if __name__ == "__main__":
    sys.exit(main())
