"""Decks in the API."""
