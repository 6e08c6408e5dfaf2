"""What other apps may listen to.

`guest_merged(guest=, user=)` is sent when somebody who has played as a guest logs in to an existing
account. It is sent inside the transaction that ends the guest: receivers move what belongs to
`guest` over to `user`, and an exception of theirs undoes everything.
"""

from __future__ import annotations

from django.dispatch import Signal

guest_merged = Signal()
