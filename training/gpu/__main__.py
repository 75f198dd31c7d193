"""Trains on a GPU that is lent for minutes, on a machine that has nothing but a kit; training/gpu.md says how.

python -m training.gpu corpus FILE.jsonl.xz     here, once per stack: the chunks that natural questions are searched in
python -m training.gpu pack KIT                 here: rows, base, weights, bench and code
python -m training.gpu train KIT OUT --run a    there: runs of settings.toml, one after another
python -m training.gpu distil KIT OUT           there: the small reader, from the adapter of --teacher
"""

import argparse
import os
import sys
from pathlib import Path

from training.gpu.settings import GpuSettings, load_settings

SEED = 5  # of the pool of questions


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m training.gpu", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    corpus = commands.add_parser("corpus")
    corpus.add_argument("file", type=Path)
    pack = commands.add_parser("pack")
    pack.add_argument("kit", type=Path)
    pack.add_argument("--rows", type=Path, default=Path("var/training/data"), help="what `training build` wrote")
    pack.add_argument("--samples", type=Path, required=True, help="the corpus file of the samples")
    pack.add_argument("--lectures", type=Path, required=True, help="the corpus file of the real lectures")
    train, distil = commands.add_parser("train"), commands.add_parser("distil")
    for command in (train, distil):
        command.add_argument("kit", type=Path)
        command.add_argument("out", type=Path)
        command.add_argument("--base", type=Path, help="the folder of the base's pieces; by default the kit")
        command.add_argument("--work", type=Path, default=Path("/tmp/gpu-work"), help="kept for a second call")  # noqa: S108
        command.add_argument("--device", default="cuda")
        command.add_argument("--workers", type=int, default=15, help="processes that build candidates")
    train.add_argument("--run", action="append", required=True, help="a run of settings.toml; may be repeated")
    distil.add_argument("--seconds", type=float, default=55.0)
    distil.add_argument("--teacher", type=Path, help="an adapter file; by default the kit's")
    arguments = parser.parse_args()
    settings = load_settings()
    if arguments.command == "corpus":
        from training.gpu.packing import write_corpus

        sys.stdout.write(f"{write_corpus(arguments.file)} chunks\n")
    elif arguments.command == "pack":
        _pack(arguments, settings)
    else:
        _run(arguments, settings)


def _pack(arguments: argparse.Namespace, settings: GpuSettings) -> None:
    from training.background.bases import mpnet_folder
    from training.gpu.packing import PackSources, pack_kit

    data = Path(os.environ.get("LECTORIUM_DATA", "../shared/data"))
    sources = PackSources(data, arguments.rows, mpnet_folder(), arguments.samples, arguments.lectures)
    counts = pack_kit(arguments.kit, sources, settings, seed=SEED)
    size = sum(file.stat().st_size for file in arguments.kit.rglob("*") if file.is_file())
    sys.stdout.write(f"{size / 2**20:.0f} MiB: {counts}\n")


def _run(arguments: argparse.Namespace, settings: GpuSettings) -> None:
    import torch

    from training.gpu.kit import ADAPTER
    from training.gpu.preparation import Workplace

    kit: Path = arguments.kit
    device = torch.device(arguments.device)
    place = Workplace(kit, arguments.base or kit, arguments.work, arguments.out, device, arguments.workers)
    if arguments.command == "train":
        from training.gpu.training import train_runs

        train_runs(place, settings, [settings.run(name) for name in arguments.run])
    else:
        from training.gpu.distilling import distil

        distil(place, settings, arguments.teacher or kit / ADAPTER, seconds=arguments.seconds)


if __name__ == "__main__":
    main()
