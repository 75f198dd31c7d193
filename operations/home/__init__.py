"""The home page of admin: what waits for staff, each with its link."""
