"""The library and what editors add, as files: exported whole, and exchanged as tables."""
