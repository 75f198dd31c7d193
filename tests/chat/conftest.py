"""A small corpus, imported and indexed as an operator would, and the three people of these tests."""

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.utils import timezone

from corpus.models import Collection

VTT = """WEBVTT

NOTE
title: The First Steps
speaker: A. Teacher
date: 1999-05-01
place: Library Hall
language: en

00:00:01.000 --> 00:00:05.000
When the first man was made, every angel bowed to him.

00:00:05.100 --> 00:00:09.500
Only Iblis refused to bow to the newly made man.

00:00:11.000 --> 00:00:16.000
The banyan tree sometimes lives for five thousand years.
"""
SECRET = """# The Hidden Garden

The gardener buried a silver compass under the seventh almond tree.
"""
VERSES = (
    '{"ref": "BG 2.47", "chapter": 2, "verse": 47, "text": "The work is yours by right, but never its fruits."}\n'
    '{"ref": "BG 2.48", "chapter": 2, "verse": 48, "text": "Stand in yoga and work, even in success and in failure."}\n'
)


@pytest.fixture
def corpus(transactional_db, tmp_path, settings, filled_once):
    """One timed lecture and two verses for everyone, one lecture for a restricted group."""
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.CALIBRATIONS_DIR = settings.BASE_DIR / "tests" / "calibrations"
    (tmp_path / "open").mkdir()
    (tmp_path / "open" / "first-steps.vtt").write_text(VTT, encoding="utf-8")
    (tmp_path / "garden.md").write_text(SECRET, encoding="utf-8")
    (tmp_path / "gita").mkdir()
    (tmp_path / "gita" / "verses.jsonl").write_text(VERSES, encoding="utf-8")
    filled_once("corpus", lambda: import_and_index(tmp_path))
    # Look-ups are cached by these times, and factories add to the corpus without touching them.
    Collection.objects.update(changed_at=timezone.now())


def import_and_index(folder):
    call_command("import_lectures", str(folder / "open"), verbosity=0)
    call_command("import_lectures", str(folder / "garden.md"), collection="garden", verbosity=0)
    call_command("import_works", str(folder / "gita"), verbosity=0)
    Collection.objects.filter(key="garden").update(visibility=Collection.Visibility.RESTRICTED)
    call_command("index", verbosity=0)


@pytest.fixture
def people(transactional_db):
    """Alice owns things, Bob would like to see them, Carol is a superuser."""
    users = get_user_model().objects
    return {
        "alice": users.create_user("alice", password="alice-pass-1"),
        "bob": users.create_user("bob", password="bob-pass-1"),
        "carol": users.create_superuser("carol", password="carol-pass-1"),
    }
