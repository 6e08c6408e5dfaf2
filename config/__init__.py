"""The project: settings, addresses, servers, logs."""
