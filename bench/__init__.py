"""Benchmarks: they print tables and judge nothing; no test fails on a time."""
