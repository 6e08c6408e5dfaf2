"""Lists of cards that people bring and take away: read and written without any database.

``encodings`` turns bytes into text, ``dialects`` knows whose columns mean what, ``reading`` gives
rows one by one, ``matching`` finds out which cards they name, ``writing`` gives text piece by
piece.
"""
