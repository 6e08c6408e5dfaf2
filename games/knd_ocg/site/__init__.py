"""KND: OCG on the site."""
