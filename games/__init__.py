"""The games that ship with Riffle: one folder each, complete."""
