"""The rules of play of Batt'l Kha'os, a module a chapter."""
