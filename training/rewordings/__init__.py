"""Trains the model that tells whether two questions ask the same: `python -m training rewordings`."""


def train_rewordings() -> str:
    """Train on the written questions, write the adapter where the product reads it; return a message."""
    from lectorium.providers.mpnet.base import BASE_NAME
    from lectorium.providers.mpnet.rewordings import SHIPPED
    from lectorium.providers.sentence_transformers import SentenceTransformersEmbedder
    from training.background.bases import mpnet_folder
    from training.rewordings.pairs import question_groups
    from training.rewordings.train import RewordingConfig, new_network, train

    config = RewordingConfig()
    groups = question_groups(SentenceTransformersEmbedder(BASE_NAME, mpnet_folder()))
    network = new_network(mpnet_folder(), config.seed)
    train(network, groups, config)
    network.save(SHIPPED)
    return f"Wrote {SHIPPED.name}, from {len(groups):,} groups of questions. Run `manage.py calibrate_pins` next."
