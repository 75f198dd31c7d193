import uuid

import pytest
from django.contrib.auth.models import Group, User
from django.db import transaction

from audit.clustering import gaps_cluster
from audit.domain.gaps import Gap
from audit.gaps import gap_join
from audit.models import GapCluster
from tests.chat.conftest import corpus

__all__ = ["corpus"]


@pytest.fixture
def someone(db):
    def made(group):
        user, _ = User.objects.get_or_create(username=group, is_staff=True)
        user.groups.add(Group.objects.get(name=group))
        return user

    return made


@pytest.fixture
def asked():
    """Ask questions that are refused, and return the gap of the last."""

    def refused(*questions, kind="refused", nearest=("first-steps:1",), **facts):
        for question in questions:
            with transaction.atomic():
                gap = Gap(kind, question, facts.get("reason", "unanswerable"), facts.get("sentence", ""), nearest)
                joined = gap_join(gap=gap, conversation_id=uuid.uuid4(), turn_id=uuid.uuid4())
        gaps_cluster()
        joined.refresh_from_db()
        return GapCluster.objects.described().get(pk=joined.cluster_id)

    return refused
