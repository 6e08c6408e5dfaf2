"""Riffle's games for research: adaptors for PettingZoo and OpenSpiel (``docs/research.md``)."""
