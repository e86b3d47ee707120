"""The first account of a Ringside keeps the catalogue and the ban lists.

So no one has to be asked.
"""

from __future__ import annotations

from django.contrib.auth.models import Group, User
from django.db.models import Q

from decks.access import GROUPS

DEMO_ACCOUNTS = "@demo.example"


def appoint_first_account(user: User) -> bool:
    """Add the first person who signs in to all groups of editors.

    Return whether this was that person. It is not the first where anyone else signed in before, keeps
    something, or is an administrator. Accounts of the demo do not count.
    """
    if user.is_superuser or user.username.endswith(DEMO_ACCOUNTS) or _has_others(user):
        return False
    groups = Group.objects.filter(name__in=GROUPS)
    if not groups or user.groups.filter(name__in=GROUPS).exists():
        return False
    user.groups.add(*groups)
    return True


def _has_others(user: User) -> bool:
    others = User.objects.exclude(pk=user.pk).exclude(username__endswith=DEMO_ACCOUNTS)
    is_before = Q(last_login__isnull=False) | Q(is_superuser=True) | Q(groups__name__in=GROUPS)
    return others.filter(is_before).exists()
