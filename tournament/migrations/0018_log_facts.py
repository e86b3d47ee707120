"""The log stores what was done as a code with parameters.

Older sentences are told as they were.
"""

from django.conf import settings
from django.db import migrations, models
from django.db.models import F, OuterRef, Subquery
from django.db.models.fields.json import KT
from django.db.models.functions import Coalesce, JSONObject

TABLES = ("LogEntry", "LeagueLine")


def tell_sentences(apps, schema_editor):
    """Keep each sentence as the parameter `told`; who has an account is named by it."""
    for name in TABLES:
        rows = apps.get_model("tournament", name).objects.all()
        rows.update(params=JSONObject(told=F("sentence")))
        rows.exclude(user=None).update(actor="")
    apps.get_model("tournament", "LeagueLine").objects.update(code="told")


def write_sentences(apps, schema_editor):
    """Write the sentences that were told; of other rows only the action is left."""
    user_model = apps.get_model(settings.AUTH_USER_MODEL)
    for name, code in zip(TABLES, ("action", "code"), strict=True):
        rows = apps.get_model("tournament", name).objects.all()
        rows.update(sentence=Coalesce(KT("params__told"), F(code)))
        username = user_model.objects.filter(pk=OuterRef("user")).values("username")
        rows.exclude(user=None).update(actor=Subquery(username[:1]))


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0017_player_details"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField("logentry", "by_player", models.BigIntegerField(blank=True, editable=False, null=True)),
        migrations.AddField("logentry", "variant", models.CharField(blank=True, default="", max_length=40)),
        migrations.AddField("logentry", "params", models.JSONField(blank=True, default=dict)),
        migrations.AlterField("logentry", "actor", models.CharField(blank=True, max_length=120)),
        migrations.AddField("leagueline", "code", models.CharField(default="", max_length=40), preserve_default=False),
        migrations.AddField("leagueline", "params", models.JSONField(blank=True, default=dict)),
        migrations.AlterField("leagueline", "actor", models.CharField(blank=True, max_length=120)),
        migrations.AlterField("logentry", "sentence", models.CharField(default="", max_length=400)),
        migrations.AlterField("leagueline", "sentence", models.CharField(default="", max_length=400)),
        migrations.RunPython(tell_sentences, write_sentences, elidable=True),
        migrations.RemoveField("logentry", "sentence"),
        migrations.RemoveField("leagueline", "sentence"),
    ]
