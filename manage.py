#!/usr/bin/env python
"""Run Lectorium's commands: `python manage.py help` lists them."""

import errno
import os
import sys

STORAGE_FAULTS = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")
    from django.core.management import execute_from_command_line
    from django.db import OperationalError

    try:
        execute_from_command_line(sys.argv)
    except OperationalError as error:
        sys.exit(f"The database failed: {' '.join(str(error).split())}")
    except OSError as error:
        if error.errno not in STORAGE_FAULTS:
            raise
        sys.exit(f"Cannot write: {error}. Make room or make the place writable, then run the command again.")


if __name__ == "__main__":
    main()
