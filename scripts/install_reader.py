"""Install the big reader's base (405 MB) into the state folder, unless LECTORIUM_READER=small.

scripts/install_reader.py [FOLDER]     FOLDER: the five wheels, if already downloaded
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from lectorium.env import Env  # noqa: E402
from lectorium.providers.mpnet.base import BASE_NAME, is_base  # noqa: E402
from lectorium.providers.mpnet.install import install_base  # noqa: E402


def main() -> None:
    env = Env(ROOT / ".env")
    if env.text("LECTORIUM_READER") == "small":
        return
    target = env.path("LECTORIUM_READER_BASE", env.path("LECTORIUM_STATE", ROOT / "var") / "models" / BASE_NAME)
    if not is_base(target):
        sys.stdout.write(f"→ Installing {BASE_NAME} for the big reader (405 MB)\n")
        wheels = Path(sys.argv[1]) if len(sys.argv) > 1 else None
        sys.stdout.write(install_base(target, wheels=wheels) + "\n")


if __name__ == "__main__":
    main()
