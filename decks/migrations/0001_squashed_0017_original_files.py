"""All tables of cards and lists at once.

Used where none of the replaced migrations has run.
"""

import decks.catalogue.models
import django.db.models.deletion
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models

from decks.editions.models import add_immutability_triggers, drop_immutability_triggers


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('decks', '0001_initial'),
        ('decks', '0002_list_editions'),
        ('decks', '0003_answers_to_lists'),
        ('decks', '0004_rechecks'),
        ('decks', '0005_catalogue_imports'),
        ('decks', '0006_recheck_of_one_event'),
        ('decks', '0007_forgotten_imports'),
        ('decks', '0008_rechecked_mends'),
        ('decks', '0009_failures_as_reasons'),
        ('decks', '0010_progress_as_reason'),
        ('decks', '0011_causes_as_reasons'),
        ('decks', '0012_labels'),
        ('decks', '0013_other_codes_of_sets'),
        ('decks', '0014_undo_of_imports'),
        ('decks', '0015_facts_removed_in_the_grid'),
        ('decks', '0017_original_files'),
    ]

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='CatalogueState',
            fields=[
                ('game', models.CharField(max_length=32, primary_key=True, serialize=False)),
                ('version', models.PositiveBigIntegerField(default=0)),
                ('stamp', models.CharField(blank=True, max_length=32)),
            ],
        ),
        migrations.CreateModel(
            name='DeckList',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=32)),
                ('format_key', models.CharField(max_length=64)),
                ('rules_version', models.CharField(blank=True, max_length=32)),
                ('locked_at', models.DateTimeField(blank=True, null=True)),
                ('created_at', models.DateTimeField()),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Card',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=32)),
                ('key', models.CharField(max_length=120)),
                ('identity', models.CharField(editable=False, max_length=320)),
                ('name', models.CharField(max_length=200)),
                ('attributes', models.JSONField(blank=True, default=dict, validators=[decks.catalogue.models.validate_facts])),
            ],
            options={
                'ordering': ['game', 'name', 'key'],
                'constraints': [models.UniqueConstraint(fields=('game', 'key'), name='one_card_per_key'), models.UniqueConstraint(fields=('game', 'identity'), name='one_card_per_identity')],
            },
        ),
        migrations.CreateModel(
            name='CardSet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=32)),
                ('code', models.CharField(max_length=32)),
                ('name', models.CharField(blank=True, max_length=120)),
                ('size', models.PositiveIntegerField(blank=True, null=True)),
                ('other_codes', models.JSONField(blank=True, default=list, help_text='Other codes that lists use for it.', validators=[decks.catalogue.models.validate_codes])),
                ('is_hidden', models.BooleanField(default=False, help_text='The set has only markers and buttons, no deck cards.')),
            ],
            options={
                'ordering': ['game', 'code'],
                'constraints': [models.UniqueConstraint(fields=('game', 'code'), name='one_set_per_code')],
            },
        ),
        migrations.CreateModel(
            name='CatalogueImport',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('asked_game', models.CharField(blank=True, max_length=32)),
                ('game', models.CharField(blank=True, max_length=32)),
                ('file_name', models.CharField(blank=True, max_length=200)),
                ('size', models.PositiveIntegerField()),
                ('digest', models.CharField(help_text='SHA-256 of the file, in hexadecimal.', max_length=64)),
                ('state', models.CharField(choices=[('reading', 'Being read'), ('open', 'Needs a decision'), ('applying', 'Being written'), ('done', 'Written'), ('thrown_away', 'Discarded'), ('unreadable', 'Not readable'), ('forgotten', 'Deleted'), ('undone', 'Undone')], default='reading', max_length=12)),
                ('base', models.CharField(blank=True, max_length=64)),
                ('preview', models.JSONField(blank=True, default=dict)),
                ('decisions', models.JSONField(blank=True, default=dict)),
                ('report', models.JSONField(blank=True, default=dict)),
                ('undo_rows', models.JSONField(blank=True, default=dict, editable=False)),
                ('failure', models.JSONField(blank=True, default=list, help_text='Why the file cannot be read: problems as codes with parameters.')),
                ('sent_by_name', models.CharField(blank=True, max_length=200)),
                ('sent_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('finished_by_name', models.CharField(blank=True, max_length=200)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('sent_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-sent_at'],
                'permissions': [('import_catalogue', 'Can import catalogue files')],
            },
        ),
        migrations.CreateModel(
            name='DeckVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('source_text', models.TextField()),
                ('pool_text', models.TextField(blank=True, default='')),
                ('original_text', models.TextField(blank=True, default='')),
                ('source_format', models.CharField(max_length=32)),
                ('lines', models.JSONField()),
                ('entries', models.JSONField()),
                ('verdict', models.JSONField()),
                ('outcome', models.CharField(choices=[('legal', 'Legal'), ('illegal', 'Not legal'), ('unknown', 'Cannot be checked')], max_length=8)),
                ('rules_version', models.CharField(max_length=32)),
                ('judged_under', models.JSONField()),
                ('options', models.JSONField(default=dict)),
                ('submitted_at', models.DateTimeField()),
                ('submitted_by', models.CharField(max_length=160)),
                ('by_staff', models.BooleanField(default=False)),
                ('after_deadline', models.BooleanField(default=False)),
                ('after_lock', models.BooleanField(default=False)),
                ('reason', models.CharField(blank=True, max_length=400)),
                ('short_hash', models.CharField(max_length=16)),
                ('deck_list', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='decks.decklist')),
            ],
            options={
                'verbose_name': 'submitted decklist',
                'ordering': ['deck_list', 'number'],
                'constraints': [models.UniqueConstraint(fields=('deck_list', 'number'), name='one_version_per_number'), models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='version_numbers_start_at_one'), models.CheckConstraint(condition=models.Q(('outcome__in', ['legal', 'illegal', 'unknown'])), name='version_outcome_is_known')],
            },
        ),
        migrations.AddField(
            model_name='decklist',
            name='current',
            field=models.OneToOneField(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='decks.deckversion'),
        ),
        migrations.CreateModel(
            name='ImportedFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('content', models.BinaryField()),
                ('removed_facts', models.JSONField(blank=True, default=dict, editable=False)),
                ('catalogue_import', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='file', to='decks.catalogueimport')),
            ],
        ),
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(max_length=64)),
                ('payload', models.JSONField(blank=True, default=dict)),
                ('key', models.CharField(blank=True, help_text='There is at most one waiting or running job of a kind and key.', max_length=200)),
                ('requested_by', models.CharField(blank=True, max_length=200)),
                ('state', models.CharField(choices=[('queued', 'Waiting'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('cancelled', 'Canceled')], default='queued', max_length=10)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('max_tries', models.PositiveSmallIntegerField(default=3)),
                ('run_after', models.DateTimeField(default=django.utils.timezone.now)),
                ('hints', models.PositiveSmallIntegerField(default=0)),
                ('hint_after', models.DateTimeField(default=django.utils.timezone.now)),
                ('claim', models.UUIDField(blank=True, help_text='The worker that holds the lease. Only this worker may finish the job.', null=True)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('cancel_requested', models.BooleanField(default=False)),
                ('progress_done', models.PositiveIntegerField(default=0)),
                ('progress_total', models.PositiveIntegerField(blank=True, null=True)),
                ('progress_stage', models.JSONField(blank=True, help_text='The current step: a code with parameters.', null=True)),
                ('result', models.JSONField(blank=True, null=True)),
                ('result_file', models.CharField(blank=True, help_text='Path in the folder of job files.', max_length=250)),
                ('error_code', models.CharField(blank=True, max_length=64)),
                ('failure', models.JSONField(blank=True, default=list, help_text='Why it failed: problems as codes with parameters.')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ['-created_at'],
                'indexes': [models.Index(fields=['state', 'hint_after'], name='job_to_hint'), models.Index(fields=['state', 'lease_until'], name='job_to_sweep'), models.Index(fields=['kind', 'key', 'created_at'], name='job_by_key')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('state__in', ['queued', 'running']), models.Q(('key', ''), _negated=True)), fields=('kind', 'key'), name='one_open_job_a_key'), models.CheckConstraint(condition=models.Q(models.Q(('claim__isnull', False), ('lease_until__isnull', False), ('state', 'running')), models.Q(models.Q(('state', 'running'), _negated=True), ('claim__isnull', True), ('lease_until__isnull', True)), _connector='OR'), name='job_is_leased_while_running')],
            },
        ),
        migrations.AddField(
            model_name='catalogueimport',
            name='job',
            field=models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='decks.job'),
        ),
        migrations.CreateModel(
            name='ListAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('answered_at', models.DateTimeField()),
                ('agrees', models.BooleanField(blank=True, null=True)),
                ('words', models.CharField(blank=True, max_length=400)),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='decks.deckversion')),
            ],
            options={
                'verbose_name': 'answer to a decklist',
                'ordering': ['version', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='ListEdition',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=32)),
                ('kind', models.CharField(max_length=32)),
                ('number', models.PositiveIntegerField()),
                ('name', models.CharField(max_length=120)),
                ('document', models.CharField(blank=True, max_length=200)),
                ('clause', models.CharField(blank=True, max_length=120)),
                ('versions', models.JSONField(blank=True, default=list)),
                ('entries', models.JSONField(blank=True, default=list)),
                ('in_force', models.DateField(blank=True, null=True)),
                ('note', models.CharField(blank=True, max_length=1000)),
                ('state', models.CharField(choices=[('draft', 'Draft'), ('published', 'Published')], default='draft', max_length=9)),
                ('based_on', models.PositiveIntegerField(blank=True, null=True)),
                ('unread', models.JSONField(blank=True, default=list)),
                ('revision', models.PositiveIntegerField(default=1)),
                ('drafted_by', models.CharField(max_length=160)),
                ('drafted_at', models.DateTimeField()),
                ('published_by', models.CharField(blank=True, max_length=160)),
                ('published_at', models.DateTimeField(blank=True, null=True)),
                ('digest', models.CharField(blank=True, max_length=64)),
            ],
            options={
                'verbose_name': 'version of a list',
                'verbose_name_plural': 'versions of lists',
                'ordering': ['game', 'kind', '-number'],
                'permissions': [('publish_lists', 'Can draft and publish lists of bans, errata and identities')],
                'constraints': [models.UniqueConstraint(fields=('game', 'kind', 'number'), name='one_edition_per_number'), models.UniqueConstraint(condition=models.Q(('state', 'draft')), fields=('game', 'kind'), name='one_draft_per_list'), models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='edition_numbers_start_at_one'), models.CheckConstraint(condition=models.Q(('state__in', ['draft', 'published'])), name='edition_state_is_known'), models.CheckConstraint(condition=models.Q(('state', 'draft'), models.Q(('in_force__isnull', False), ('published_at__isnull', False), models.Q(('digest', ''), _negated=True)), _connector='OR'), name='a_published_edition_has_its_day')],
            },
        ),
        migrations.CreateModel(
            name='Printing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=32)),
                ('key', models.CharField(max_length=120)),
                ('number', models.PositiveIntegerField(blank=True, null=True)),
                ('number_as_printed', models.CharField(blank=True, max_length=32)),
                ('printed_name', models.CharField(max_length=200)),
                ('variant', models.CharField(blank=True, max_length=40)),
                ('external_ids', models.JSONField(blank=True, default=dict, validators=[decks.catalogue.models.validate_facts])),
                ('attributes', models.JSONField(blank=True, default=dict, validators=[decks.catalogue.models.validate_facts])),
                ('is_deck_card', models.BooleanField(default=True)),
                ('card', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='printings', to='decks.card')),
                ('card_set', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='printings', to='decks.cardset')),
            ],
            options={
                'ordering': ['game', 'card_set__code', 'number', 'number_as_printed', 'key'],
                'indexes': [models.Index(fields=['card_set', 'number'], name='printing_by_number')],
                'constraints': [models.UniqueConstraint(fields=('game', 'key'), name='one_printing_per_key')],
            },
        ),
        migrations.CreateModel(
            name='Recheck',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=32)),
                ('occasion', models.PositiveBigIntegerField(blank=True, null=True)),
                ('causes', models.JSONField(default=list)),
                ('since', models.DateField(blank=True, null=True)),
                ('asked_by', models.CharField(blank=True, max_length=160)),
                ('asked_at', models.DateTimeField()),
                ('total', models.PositiveIntegerField(blank=True, null=True)),
                ('cancelled_at', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('edition', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='rechecks', to='decks.listedition')),
            ],
            options={
                'ordering': ['-pk'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('edition',), name='one_open_recheck_an_edition'), models.CheckConstraint(condition=models.Q(('cancelled_at__isnull', True), ('ended_at__isnull', False), _connector='OR'), name='a_cancelled_recheck_has_ended')],
            },
        ),
        migrations.CreateModel(
            name='Rechecked',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('causes', models.JSONField(default=list)),
                ('since', models.DateField(blank=True, null=True)),
                ('day', models.DateField()),
                ('outcome', models.CharField(choices=[('legal', 'Legal'), ('illegal', 'Not legal'), ('unknown', 'Cannot be checked')], max_length=8)),
                ('verdict', models.JSONField()),
                ('judged_under', models.JSONField()),
                ('brings_news', models.BooleanField()),
                ('mends', models.BooleanField(default=False)),
                ('checked_at', models.DateTimeField()),
                ('recheck', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='rows', to='decks.recheck')),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rechecks', to='decks.deckversion')),
            ],
            options={
                'verbose_name': 'later verdict',
                'ordering': ['version', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('recheck', 'version'), name='one_verdict_a_recheck_and_version'), models.CheckConstraint(condition=models.Q(('outcome__in', ['legal', 'illegal', 'unknown'])), name='recheck_outcome_is_known')],
            },
        ),
        migrations.CreateModel(
            name='RecheckPart',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('first', models.BigIntegerField()),
                ('last', models.BigIntegerField()),
                ('lists', models.PositiveIntegerField()),
                ('checked', models.PositiveIntegerField(default=0)),
                ('done_at', models.DateTimeField(blank=True, null=True)),
                ('recheck', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='parts', to='decks.recheck')),
            ],
            options={
                'ordering': ['recheck', 'number'],
                'constraints': [models.UniqueConstraint(fields=('recheck', 'number'), name='one_recheck_part_a_number'), models.CheckConstraint(condition=models.Q(('first__lte', models.F('last'))), name='recheck_part_runs_up')],
            },
        ),
        migrations.CreateModel(
            name='Ruling',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('outcome', models.CharField(choices=[('legal', 'Legal'), ('illegal', 'Not legal'), ('unknown', 'Cannot be checked')], max_length=8)),
                ('reason', models.CharField(max_length=400)),
                ('ruled_at', models.DateTimeField()),
                ('ruled_by', models.CharField(max_length=160)),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rulings', to='decks.deckversion')),
            ],
            options={
                'ordering': ['version', 'pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='a_ruling_gives_its_reason'), models.CheckConstraint(condition=models.Q(('outcome__in', ['legal', 'illegal', 'unknown'])), name='ruling_outcome_is_known')],
            },
        ),
        migrations.AddIndex(
            model_name='catalogueimport',
            index=models.Index(fields=['game', 'sent_at'], name='import_by_game'),
        ),
        migrations.RunPython(add_immutability_triggers, drop_immutability_triggers),
    ]
