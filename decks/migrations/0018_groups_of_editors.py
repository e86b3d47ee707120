from django.db import migrations

NAMES = {"Catalogue keepers": "Catalogue editors", "List keepers": "Ban list editors"}


def rename_groups(apps, schema_editor):
    """Keep the members of each group. New groups are created after all migrations."""
    _rename(apps, schema_editor, NAMES)


def restore_names(apps, schema_editor):
    """Give the groups the names that the version before looks for."""
    _rename(apps, schema_editor, {new: old for old, new in NAMES.items()})


def _rename(apps, schema_editor, names):
    groups = apps.get_model("auth", "Group").objects.using(schema_editor.connection.alias)
    for old, new in names.items():
        if not groups.filter(name=new).exists():
            groups.filter(name=old).update(name=new)


class Migration(migrations.Migration):

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("decks", "0017_original_files"),
    ]

    operations = [migrations.RunPython(rename_groups, restore_names)]
