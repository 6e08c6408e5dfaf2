"""Batt’l Kha’os on the site."""
