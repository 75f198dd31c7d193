"""Threads of turns: history, feedback, sharing, export, retention."""
