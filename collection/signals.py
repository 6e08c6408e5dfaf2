"""Signals for other apps.

`cards_renamed(cards=)` is sent with the keys of cards that have another title from now on, or are
back. It is sent before the catalog is written and outside its transaction, so that receivers may
take their time and small transactions: where one of them fails, or the process ends, the catalog
stays as it was and the next synchronisation sends the same news again.

`catalog_written()` is sent at the end of every synchronisation, outside its transaction.
"""

from __future__ import annotations

from django.dispatch import Signal

cards_renamed = Signal()
catalog_written = Signal()
