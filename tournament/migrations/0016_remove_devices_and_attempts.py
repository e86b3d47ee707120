"""Signed-in devices are sessions of allauth, and tries are counted in the cache."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tournament", "0015_accounts_move_to_allauth")]

    operations = [
        migrations.DeleteModel(name="Attempt"),
        migrations.DeleteModel(name="Device"),
    ]
