"""All writes of decks: one function a use case, one transaction."""
