from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("decks", "0018_groups_of_editors")]
    operations = [
        migrations.RenameField(model_name="recheckpart", old_name="checked", new_name="checked_count"),
    ]
