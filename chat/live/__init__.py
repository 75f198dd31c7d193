"""The websocket: consumer, protocol, event log, admission control, stop and resume."""
