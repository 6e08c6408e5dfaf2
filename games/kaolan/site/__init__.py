"""Kaolan on the site."""
