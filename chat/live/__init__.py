"""A reader's connection: websocket, HTTP stream, form; protocol, event log, admission control, stop and resume."""
