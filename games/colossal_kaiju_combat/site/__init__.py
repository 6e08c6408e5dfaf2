"""Colossal Kaiju Combat on the site."""
