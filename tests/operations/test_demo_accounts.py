import stat

import pytest
from django.contrib.auth import get_user_model

from operations.demo_accounts import demo_accounts_make


@pytest.fixture
def state(settings, tmp_path):
    settings.STATE_DIR = tmp_path
    return tmp_path


@pytest.mark.django_db
def test_the_demo_accounts_can_sign_in_and_keep_their_passwords(state):
    passwords = demo_accounts_make(get_user_model())
    assert set(passwords) == {"reader", "editor", "reviewer", "auditor"}
    assert demo_accounts_make(get_user_model()) == passwords
    for name, password in passwords.items():
        assert get_user_model().objects.get(username=name).check_password(password)


@pytest.mark.django_db
def test_demo_accounts_have_the_permissions_of_their_role(state):
    demo_accounts_make(get_user_model())
    names = ("reader", "editor", "reviewer", "auditor")
    reader, editor, reviewer, auditor = (get_user_model().objects.get(username=name) for name in names)
    assert not reader.is_staff
    assert editor.has_perm("curation.change_pinnedquestion")
    assert editor.has_perm("audit.change_gapcluster")
    assert not editor.has_perm("curation.publish_entries")
    assert reviewer.has_perm("curation.publish_entries")
    assert editor.has_perm("audit.change_feedback")
    assert auditor.has_perm("audit.change_feedback")
    assert not editor.has_perm("audit.view_turnaudit")
    assert auditor.has_perm("audit.view_turnaudit")
    assert not auditor.has_perm("chat.change_turn")


@pytest.mark.django_db
def test_password_files_are_readable_by_their_owner_only(state):
    demo_accounts_make(get_user_model())
    for path in (state / "demo").iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
