"""The end of an import, for other packages to learn of in its transaction."""

from django.dispatch import Signal

import_ended = Signal()  # sender: Import; row: the import, done or failed, with its collection
