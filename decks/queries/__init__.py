"""All reads of decks that are more than a get, with constant query counts."""
