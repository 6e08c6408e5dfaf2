"""What people are to be told: a row a matter, written with what it tells of, read by channels.

Whoever owes a notice gives the words and the link, in the transaction of what happened::

    notices.owe([opponent.pk], Kind.TRADE, text="Ann offers you a trade.", link=url, key=slug)
    notices.withdraw(Kind.TRADE, key=slug)

There is one row for each person, kind, match and key: owed again, it is new again. What was
withdrawn before it was sent is never sent. ``docs/notices.md`` says what is told to whom, when.
"""

from accounts.notices.kinds import Kind
from accounts.notices.writing import Turn, owe, tell_turns, withdraw

__all__ = ["Kind", "Turn", "owe", "tell_turns", "withdraw"]
