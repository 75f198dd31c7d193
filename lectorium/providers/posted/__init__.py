"""Models of services that answer a request in one piece."""
