"""The project: settings, addresses, servers, logs."""

from config.compiled_engine import use_compiled

use_compiled()
