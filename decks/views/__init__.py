"""Pages of decks."""
