from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from decks.models import Job

pytestmark = pytest.mark.django_db


def test_the_database_refuses_a_second_open_job_with_the_same_key():
    Job.objects.create(kind="print", key="round 3")
    with pytest.raises(IntegrityError), transaction.atomic():
        Job.objects.create(kind="print", key="round 3")
    Job.objects.create(kind="print")
    Job.objects.create(kind="print")
    assert Job.objects.count() == 3
