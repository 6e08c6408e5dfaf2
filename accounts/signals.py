"""Signals for other apps.

`guest_merged(guest=, user=)` is sent when somebody who has played as a guest logs in to an existing
account. It is sent inside the transaction that ends the guest: receivers move what belongs to
`guest` over to `user`, and an exception of theirs undoes everything.

`guest_emptied(guest=, user=)` follows in the same transaction, when all of them have done so.

`account_closing(user=)` is sent, outside any transaction, for an account that was deleted:
receivers leave tables and take offers back. It may be sent again. What hangs on the person goes
afterwards by itself (`accounts.account_deletion`).

`friend_requested(friendship=)`, `friend_accepted(friendship=)` and `friendship_ended(people=)` are
sent inside the transaction that writes them; the last also for a request that was declined or
withdrawn, and when one of the two has blocked the other.

`session_ended(session=)` is sent when a session is over: its person logged out, ended it from
elsewhere or deleted the account. `logged_out_everywhere(user=, kept=)` is sent inside the
transaction that ends all sessions of a person but `kept`, which may be None.

`time_zone_changed(user=, before=)` is sent inside the transaction in which somebody has said under
their notices where they are; `before` is the name of the zone until now, "" for none.
"""

from __future__ import annotations

from django.dispatch import Signal

guest_merged = Signal()
guest_emptied = Signal()
account_closing = Signal()
time_zone_changed = Signal()
friend_requested = Signal()
friend_accepted = Signal()
friendship_ended = Signal()
session_ended = Signal()
logged_out_everywhere = Signal()
