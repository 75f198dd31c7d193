"""Running the site: health, diagnosis, metrics, backup, warming."""
