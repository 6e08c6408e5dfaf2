"""``python -m config rules.ladder …``: run a program of the rules on the compiled engine.

Without a build for the sources as they are, it runs on the pure one, with the same results.
"""

import runpy
import sys

if __name__ == "__main__":
    if not sys.argv[1:]:
        sys.exit("usage: python -m config MODULE [ARGUMENT ...]")
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
