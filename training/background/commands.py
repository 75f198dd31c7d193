"""The commands of the background job: `python -m training background | status | accept`."""

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path

from training.background.config import job_folder, load_job

COMMANDS = ("background", "status", "accept")


def run_command(words: list[str]) -> int:
    """Run a command; return its exit status."""
    arguments = _parser().parse_args(words)
    if arguments.command == "background":
        return _background(arguments, words[1:])
    if arguments.command == "status":
        sys.stdout.write(status_line(arguments.base) + "\n")
        return 0
    from training.background.accept import accept

    sys.stdout.write(accept(arguments.base, arguments.to, current=arguments.current, source=arguments.source) + "\n")
    return 0


def status_line(base: str) -> str:
    """One line on the job: whether it runs, its progress and speed, its last and best evaluation."""
    from training.background.job import is_paused, read_curve, running_pid

    folder = job_folder(base)
    pid = running_pid(folder)
    state = "paused (kill -CONT resumes it)" if pid and is_paused(pid) else "running"
    parts = [f"{base}: {state}, process {pid}" if pid else f"{base}: not running"]
    if folder.progress.exists():
        progress = json.loads(folder.progress.read_text(encoding="utf-8"))
        pairs = progress["pairs"]
        parts.append(f"{sum(pairs.values()):,} pairs ({', '.join(f'{n:,} {task}' for task, n in pairs.items())})")
        parts.append(f"{progress['pairs_per_second']} pairs/s at {progress['at']}")
    if curve := read_curve(folder):
        parts.append(f"last {_figures(curve[-1])}")
        parts.append(f"best {_figures(max(curve, key=lambda line: float(line['score'])))}")
    return "; ".join(parts)


def _figures(line: dict[str, float]) -> str:
    names = [name for name in ("grounding", "answerability", "top_one") if name in line]
    return f"{line['score']:.3f} at {line['pairs']:,} pairs ({', '.join(f'{name} {line[name]:.3f}' for name in names)})"


def _background(arguments: argparse.Namespace, words: list[str]) -> int:
    from training.background.bases import base_named
    from training.background.job import run_job, start_in_background

    folder = job_folder(arguments.base)
    if not arguments.foreground:
        sys.stdout.write(start_in_background(folder, words) + "\n")
        return 0
    config = load_job().with_task(arguments.task)
    if arguments.workers:
        config = replace(config, workers=arguments.workers)
    base = base_named(arguments.base)
    return run_job(config, folder, base, arguments.warm_start or base.warm_start)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    parser.add_argument("command", choices=COMMANDS)
    parser.add_argument("--base", choices=["mpnet", "minilm"], default="mpnet")
    parser.add_argument("--task", choices=["grounding", "reading", "both"], default="both")
    parser.add_argument("--foreground", action="store_true", help="background: train in this process")
    parser.add_argument("--workers", type=int, help="background: processes that train; job.toml has the default")
    parser.add_argument(
        "--warm-start", type=Path, help="background: parameters a new job starts from; mpnet: the shipped adapter"
    )
    parser.add_argument("--to", type=Path, help="accept: the folder to write the adapter or weights to")
    parser.add_argument("--from", dest="source", type=Path, help="accept: a folder from a GPU, not the job's best")
    parser.add_argument("--current", action="store_true", help="accept: the newest average instead of the best")
    return parser
