"""Twelve on the site."""
