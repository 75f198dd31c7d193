"""Trains the adapter with which the embedder reads questions: `python -m training questions`.

Passages keep their vectors, so all of them are computed once, and a question is compared with every sentence of the
pool at each step instead of with a few of a batch.
"""

from pathlib import Path


def train_questions(data: Path, seed: int) -> str:
    """Train on the questions of the data folder, write the adapter where the product reads it; return a message."""
    from lectorium.providers.mpnet.base import BASE_NAME
    from lectorium.providers.mpnet.question_adapter import SHIPPED
    from lectorium.providers.sentence_transformers import SentenceTransformersEmbedder
    from training.background.bases import mpnet_folder
    from training.questions.examples import pool_of
    from training.questions.train import QuestionConfig, QuestionEncoder, train

    config = QuestionConfig()
    pool = pool_of(data, seed, SentenceTransformersEmbedder(BASE_NAME, mpnet_folder()))
    encoder = QuestionEncoder(mpnet_folder(), config)
    train(encoder, pool, config)
    encoder.save(SHIPPED)
    return f"Wrote the adapter of {BASE_NAME}, from {len(pool.examples):,} questions. Run `manage.py calibrate` next."
