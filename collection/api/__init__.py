"""The collection in the API."""
