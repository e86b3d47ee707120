from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('decks', '0015_facts_removed_in_the_grid'),
    ]

    operations = [
        migrations.AddField(
            model_name='deckversion',
            name='original_text',
            field=models.TextField(blank=True, default=''),
        ),
    ]
