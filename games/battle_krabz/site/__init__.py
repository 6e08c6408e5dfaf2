"""Battle Krabz on the site."""
