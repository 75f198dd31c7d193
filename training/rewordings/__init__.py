"""Trains the model that tells whether two questions ask the same: `python -m training rewordings`."""

import random
from pathlib import Path


def train_rewordings(data: Path, seed: int) -> str:
    """Train on the written questions, write the adapter where the product reads it; return a message."""
    from lectorium.providers.mpnet.base import BASE_NAME
    from lectorium.providers.mpnet.rewordings import SHIPPED
    from lectorium.providers.sentence_transformers import SentenceTransformersEmbedder
    from training.background.bases import mpnet_folder
    from training.build.written import written_questions
    from training.rewordings.pairs import neighbours_of, question_groups
    from training.rewordings.train import RewordingConfig, new_network, train

    config = RewordingConfig()
    groups = question_groups(SentenceTransformersEmbedder(BASE_NAME, mpnet_folder()))
    asked = [row for row in written_questions(data, seed) if row.passages and row.split == "train"]
    rows = [(row.passages[0].text, row.question, str(row.passages[0].answer_span)) for row in asked]
    network = new_network(mpnet_folder(), config.seed)
    train(network, groups, neighbours_of(rows, random.Random(seed)), config)
    network.save(SHIPPED)
    return f"Wrote {SHIPPED.name}, from {len(groups):,} groups of questions. Run `manage.py calibrate_pins` next."
