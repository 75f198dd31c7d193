def clock(value: float) -> str:
    """Seconds as 12:34, or as 1:02:03 from an hour on."""
    whole = max(0, int(value))
    hours, minutes, seconds = whole // 3600, whole // 60 % 60, whole % 60
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
