"""Notifications: a row each, written with the event that it tells of, sent by channels.

Whoever has news gives the words and the link, in the transaction of what happened::

    notify([opponent.pk], Kind.TRADE, text="Ann offers you a trade.", link=url, key=slug)
    retract(Kind.TRADE, key=slug)

 before it was sent is never sent. ``docs/notices.md`` lists who is told what, and when.
"""
