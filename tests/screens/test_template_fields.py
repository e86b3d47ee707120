"""Templates that name a field which a record of the product lacks.

Such a template fails in every test.
"""

from __future__ import annotations

import pytest
from django.template import Context, Template

from rules.reason import Reason

REASON = Reason("pairing.bye", {})


@pytest.mark.parametrize("template_text", ["{{ reason.cod }}", "{% for one in reason.players %}{% endfor %}"])
def test_field_that_a_record_lacks_is_a_fault(template_text: str) -> None:
    with pytest.raises(AssertionError, match="Reason has no"):
        Template(template_text).render(Context({"reason": REASON}))


def test_field_that_a_record_has_is_shown() -> None:
    assert Template("{{ reason.code }}{{ missing }}").render(Context({"reason": REASON})) == "pairing.bye"
