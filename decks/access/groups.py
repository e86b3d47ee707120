"""Groups of people with rights over cards and lists of bans; an administrator puts people into them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate

GROUPS: Mapping[str, tuple[str, ...]] = {
    "Catalogue keepers": ("import_catalogue",),
    "List keepers": ("publish_lists",),
}
"""The rights of each group, by their names in this app."""


def make_groups(sender: AppConfig, using: str, **kwargs: Any) -> None:
    """Make the groups with their rights, after every migration; rights that somebody added are left alone."""
    from django.contrib.auth.management import create_permissions
    from django.contrib.auth.models import Group, Permission

    create_permissions(sender, verbosity=0, using=using)
    for name, rights in GROUPS.items():
        group, _ = Group.objects.using(using).get_or_create(name=name)
        found = Permission.objects.using(using).filter(content_type__app_label="decks", codename__in=rights)
        group.permissions.add(*found)


def connect(config: AppConfig) -> None:
    """Make the groups whenever the app's tables are ready."""
    post_migrate.connect(make_groups, sender=config, dispatch_uid="decks_groups")
