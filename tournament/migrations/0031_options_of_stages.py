from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0030_added_cards")]

    operations = [
        migrations.AddField(
            model_name="stage",
            name="consolation",
            field=models.BooleanField(
                default=False,
                help_text="A bracket for those beaten in the first round of a single elimination.",
            ),
        ),
        migrations.AddField(
            model_name="stage",
            name="wins_in",
            field=models.PositiveSmallIntegerField(
                blank=True, null=True, help_text="This many wins qualify a player of Swiss rounds."
            ),
        ),
        migrations.AddField(
            model_name="stage",
            name="losses_out",
            field=models.PositiveSmallIntegerField(
                blank=True, null=True, help_text="This many losses eliminate a player of Swiss rounds."
            ),
        ),
        migrations.AddField(
            model_name="stage",
            name="reset",
            field=models.BooleanField(
                default=True,
                help_text="A second grand final if the winner of the losers’ side wins the first.",
            ),
        ),
    ]
