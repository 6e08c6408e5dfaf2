"""Benchmarks: they print tables and judge nothing; no test fails on a time."""

import config  # noqa: F401 - takes up the compiled engine, as the site does
