"""The server's settings, sized for a laptop with two cores and a few gigabytes of memory."""

import os
import shutil
from pathlib import Path

from lectorium.postgres.place import PORT, Place

SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - only its size is read
# A parallel HNSW build allocates maintenance_work_mem in shared memory.
ENOUGH_SHARED_MEMORY = 1024**3

SETTINGS = {
    "max_connections": "100",
    "shared_buffers": "256MB",
    "effective_cache_size": "1GB",
    "work_mem": "16MB",
    "maintenance_work_mem": "512MB",  # fits the graph of 200,000 half-precision vectors
    "max_parallel_maintenance_workers": "2",
    "max_wal_size": "2GB",
    "random_page_cost": "1.1",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_checkpoints": "off",
    "log_line_prefix": "%m [%p] %q%u@%d ",
}


def configuration_of(place: Place) -> str:
    """The server's configuration file, written at every start in place of postgresql.conf.

    Settings made with ALTER SYSTEM take precedence.
    """
    settings = {
        **SETTINGS,
        "listen_addresses": "",
        "port": str(PORT),
        "unix_socket_directories": '"' + str(place.socket_dir).replace('"', '""') + '"',
        "unix_socket_permissions": "0700",
        "dynamic_shared_memory_type": "posix" if has_shared_memory() else "mmap",
    }
    return "".join(f"{name} = {_quoted(value)}\n" for name, value in settings.items())


def write_configuration(place: Place) -> None:
    with os.fdopen(place.open(place.configuration, os.O_WRONLY | os.O_TRUNC), "w") as file:
        file.write(configuration_of(place))


def has_shared_memory() -> bool:
    """Whether /dev/shm is large enough; containers often have 64 MB."""
    return SHARED_MEMORY.exists() and shutil.disk_usage(SHARED_MEMORY).total >= ENOUGH_SHARED_MEMORY


def _quoted(value: str) -> str:
    return "'" + value.replace("\\", "\\\\").replace("'", "''") + "'"
