"""The steps before the site starts: tables, catalog, demo data. One process, one import.

Safe to repeat: a second run changes nothing and takes about a second.
"""

from __future__ import annotations

import os
import sys

import django
from django.conf import settings
from django.core.management import CommandError, call_command

# In this order; each of them is idempotent.
STEPS = {
    "sync_catalog": "Putting the catalog of cards in order",
    "demo_data": "Setting out the demo data",
    "draw_pictures": "Asking for the cards to be drawn",
}


def prepare() -> None:
    """Migrate, then run the steps. Raises ``CommandError`` as ``migrate`` does."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    call_command("migrate", interactive=False, verbosity=0)
    for command, words in STEPS.items():
        if command == "demo_data" and not settings.EMBEDDED:
            continue  # nobody wants strangers called Ada and Ben on a real site
        print(words, flush=True)
        call_command(command, verbosity=0, stdout=sys.stderr)  # what it says goes to the log


if __name__ == "__main__":
    try:
        prepare()
    except CommandError as refusal:
        print(refusal, flush=True)
        sys.exit(os.EX_DATAERR)  # the supervisor has no more to say then
