"""All reads of the collection that are more than a get, with constant query counts."""
