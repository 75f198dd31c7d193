"""Users of the product's groups."""

from django.contrib.auth.models import Group, User


def someone(group, name=""):
    user, _ = User.objects.get_or_create(username=name or group, defaults={"is_staff": group != "reader"})
    user.groups.add(Group.objects.get(name=group))
    return user
