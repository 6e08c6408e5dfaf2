"""Ways of being told beside mail: a browser's push, a web hook, and two secret addresses.

A *receiver* is a browser or a hook of somebody's. What it is to be told is written into its row, in
the transaction of whoever owes it; ``sending`` has it called after the commit, outside of any
transaction, and again after a pause where that failed. Whatever is called lies outside of this
site and was named by its users, so all of it goes through ``calls``.
"""
