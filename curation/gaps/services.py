"""What editors decide about a gap as a whole: dismiss it, open it again, or merge it with another."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from audit.clustering import clusters_merge
from audit.models import GapCluster
from curation.entries import CurationRefused, Editor

State = GapCluster.State


def cluster_dismiss(*, cluster: GapCluster, because: str, by: Editor) -> None:
    """Hide a gap that no source should answer. Questions that join it later stay hidden. Raises CurationRefused."""
    if not because.strip():
        raise CurationRefused(gettext("Write why this gap is dismissed, so that other editors know."))
    _decide(cluster, State.DISMISSED, because.strip(), by)


def cluster_reopen(*, cluster: GapCluster, by: Editor) -> None:
    _decide(cluster, State.OPEN, "", by)


@transaction.atomic
def clusters_join(*, clusters: Sequence[GapCluster]) -> GapCluster:
    """Make several gaps one, the oldest. Raises CurationRefused."""
    if len(clusters) < 2:
        raise CurationRefused(gettext("Choose at least two gaps to merge."))
    oldest, *others = sorted(clusters, key=lambda cluster: (cluster.created_at, cluster.pk))
    if len({cluster.pin_id for cluster in clusters if cluster.pin_id}) > 1:
        raise CurationRefused(gettext("These gaps have different pins, so they stay apart."))
    for other in others:
        oldest = clusters_merge(into=oldest, other=other)
    return oldest


def _decide(cluster: GapCluster, state: str, because: str, by: Editor) -> None:
    GapCluster.objects.filter(pk=cluster.pk).update(
        state=state, dismissed_because=because, decided_by=by, decided_at=timezone.now()
    )
