"""Install Whisper's base model (134 MB) into the folder of models, for recordings without a transcript.

scripts/install_speech.py       `make speech` also installs faster-whisper
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from lectorium.env import Env  # noqa: E402
from lectorium.providers.speech.install import install_whisper  # noqa: E402
from lectorium.providers.weight_files.wheels import InstallError  # noqa: E402

NAME = "whisper-base"


def main() -> int:
    env = Env(ROOT / ".env")
    target = env.path("LECTORIUM_MODELS", env.path("LECTORIUM_STATE", ROOT / "var") / "models") / NAME
    sys.stdout.write(f"→ Installing {NAME} (134 MB)\n")
    try:
        install_whisper(target)
    except InstallError as error:
        sys.stderr.write(f"{NAME} is not installed: {error}\n")
        return 1
    sys.stdout.write(f"{NAME} is in {target}. Next: LECTORIUM_LADDER=transcribe=local:{target}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
