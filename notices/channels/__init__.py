"""Channels that carry notifications out of the site: mail, web push, web hooks.

Whatever is called lies outside of this site and was named by its users, so all calls go through
``calls``, after the commit and outside of any transaction.
"""
