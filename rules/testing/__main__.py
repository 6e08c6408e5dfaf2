"""``python -m rules.testing``: checks games, shows positions, lists notations."""

import sys

from rules.testing.commands import main

sys.exit(main())
