"""Queued jobs of knowledge gaps. Safe to run twice; each returns a line for the job's record."""

from uuid import UUID

from curation.gaps.asking_again import cluster_ask_again


def ask_gap_again(cluster_id: str) -> str:
    return cluster_ask_again(cluster_id=UUID(cluster_id))
