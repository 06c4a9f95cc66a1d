"""Processes and threads of the server: session cache, writer, read jobs, live feed."""
