"""Permission groups for the catalogue and ban lists, and who may publish lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from django.apps import AppConfig
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.db.models.signals import post_migrate
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, gettext_lazy
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

GROUPS: Mapping[str, tuple[str, ...]] = {
    "Catalogue editors": ("import_catalogue",),
    "Ban list editors": ("publish_lists",),
}

"""The rights of each group, by their names in this app."""


def create_groups(sender: AppConfig, using: str, **kwargs: Any) -> None:
    """Create the groups with their rights, after every migration.

    Rights that someone added are not changed.
    """
    from django.contrib.auth.management import create_permissions
    from django.contrib.auth.models import Group, Permission

    create_permissions(sender, verbosity=0, using=using)
    for name, rights in GROUPS.items():
        group, _ = Group.objects.using(using).get_or_create(name=name)
        permissions = Permission.objects.using(using).filter(
            content_type__app_label="decks", codename__in=rights
        )
        group.permissions.add(*permissions)


def connect_groups(config: AppConfig) -> None:
    """Make the groups whenever the app's tables are ready."""
    post_migrate.connect(create_groups, sender=config, dispatch_uid="decks_groups")


AnyUser = AbstractBaseUser | AnonymousUser


def get_signed_in_user(user: AnyUser) -> User:
    """Return the account of a request.

    Raises PermissionDenied for someone who is not signed in.
    """
    if not isinstance(user, User):
        raise PermissionDenied
    return user


PUBLISH_PERMISSION = "decks.publish_lists"

Page = Callable[..., HttpResponse]


def is_list_editor(person: Any) -> bool:
    """Return whether someone may draft and publish lists.

    An administrator of the site always may.
    """
    return bool(person.is_authenticated and person.has_perm(PUBLISH_PERMISSION))


class ListEditor(BasePermission):
    """Lets in users who may edit ban lists."""

    message = gettext_lazy("Only ban list editors can have a draft checked.")

    def has_permission(self, request: Request, view: APIView) -> bool:
        return is_list_editor(request.user)


def list_editor_required(page: Page) -> Page:
    """Let in users who may edit ban lists; others see whom to ask."""

    @wraps(page)
    def guard(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not is_list_editor(request.user):
            raise PermissionDenied(
                gettext(
                    "Only ban list editors may draft and publish lists. Ask an administrator of this site "
                    "to add you to the group “Ban list editors”."
                )
            )
        return page(request, *args, **kwargs)

    return login_required(guard)
