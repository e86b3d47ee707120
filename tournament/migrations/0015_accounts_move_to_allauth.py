"""Give every account its email rows and make the table of the shared cache.

Everyone stays signed in.
"""

from django.contrib.sessions.backends.db import SessionStore
from django.core.management import call_command
from django.db import migrations
from django.utils import timezone

OLD_BACKEND = "tournament.accounts.backend.EmailBackend"
NEW_BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
CACHE_TABLE = "ringside_cache"


def create_cache_table(apps, schema_editor):
    call_command("createcachetable", CACHE_TABLE, database=schema_editor.connection.alias, verbosity=0)


def drop_cache_table(apps, schema_editor):
    schema_editor.execute(f"DROP TABLE {schema_editor.quote_name(CACHE_TABLE)}")


def store_emails(apps, schema_editor):
    """Store the email addresses by which accounts can sign in.

    Until now an account signed in by its name. From now on its name and its email lead to it. An email leads
    to one account. Where two have it, it is the one that has it as its name.
    """
    User = apps.get_model("auth", "User")
    EmailAddress = apps.get_model("account", "EmailAddress")
    users = list(User.objects.order_by("pk").values_list("pk", "username", "email"))
    owners = {name.lower(): pk for pk, name, _ in users if "@" in name}
    for pk, name, email in users:
        owners.setdefault(email.lower(), pk)
    for pk, name, email in users:
        wanted = dict.fromkeys(address.lower() for address in (email, name) if "@" in address)
        addresses = [address for address in wanted if owners[address] == pk]
        known = set(EmailAddress.objects.filter(user_id=pk).values_list("email", flat=True))
        EmailAddress.objects.bulk_create(
            EmailAddress(user_id=pk, email=address, verified=True, primary=not known and number == 0)
            for number, address in enumerate(addresses)
            if address not in known
        )
        if addresses and email != addresses[0]:
            User.objects.filter(pk=pk).update(email=addresses[0])


def name_new_backend(apps, schema_editor):
    _replace_backend(apps, OLD_BACKEND, NEW_BACKEND)


def name_old_backend(apps, schema_editor):
    _replace_backend(apps, NEW_BACKEND, OLD_BACKEND)


def _replace_backend(apps, old, new):
    store = SessionStore()
    sessions = apps.get_model("sessions", "Session").objects.filter(expire_date__gt=timezone.now())
    for session in sessions.iterator():
        values = store.decode(session.session_data)
        if values.get("_auth_user_backend") == old:
            session.session_data = store.encode({**values, "_auth_user_backend": new})
            session.save(update_fields=["session_data"])


def list_devices(apps, schema_editor):
    UserSession = apps.get_model("usersessions", "UserSession")
    UserSession.objects.bulk_create(
        UserSession(
            user_id=device.user_id,
            session_key=device.session_key,
            user_agent=device.name,
            # No network address was kept.
            ip="0.0.0.0",
            created_at=device.signed_in_at,
            last_seen_at=device.seen_at,
        )
        for device in apps.get_model("tournament", "Device").objects.all()
    )


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0014_accepted_entries"),
        ("account", "0009_emailaddress_unique_primary_email"),
        ("usersessions", "0001_initial"),
        ("sessions", "0001_initial"),
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.RunPython(create_cache_table, drop_cache_table),
        migrations.RunPython(store_emails, migrations.RunPython.noop),
        migrations.RunPython(name_new_backend, name_old_backend),
        migrations.RunPython(list_devices, migrations.RunPython.noop),
    ]
